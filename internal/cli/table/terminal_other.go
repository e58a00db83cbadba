//go:build !unix

package table

import "os"

// TerminalWidth returns 0 for no limit: how wide a terminal is we cannot ask here.
func TerminalWidth(f *os.File) (int, bool) {
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
