// Package fault has the errors of a command line, and their text: one line that names the
// file and the place in it, and that suggests what may have been meant.
//
// A UsageError is a fault of the command line. Any other error is that of a file, or of
// writing the answer.
//
// What never comes here: exit codes, flags, what is done after an error.
package fault
