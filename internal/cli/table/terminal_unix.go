//go:build unix

package table

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalWidth returns the columns of the terminal that f is, if it is one.
func TerminalWidth(f *os.File) (int, bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 {
		return 80, true // a terminal that does not tell
	}
	return int(size.Col), true
}
