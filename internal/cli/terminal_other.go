//go:build !unix

package cli

import "os"

// terminalWidth returns 0 for no limit: how wide a terminal is we cannot ask here.
func terminalWidth(f *os.File) (int, bool) {
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
