// Package command is what all commands share: the type of a row in the table of commands, the
// flags that mean the same everywhere, and how a command line is read.
//
// A Command that looks at files has Run, which returns a Task: what is done with each file,
// and what after the last of them. EachFile makes a Run of a function for one file. A command
// of a larger program has Prepare, and does all by itself. One that reads no file has Print.
//
// What never comes here: what a single command does.
package command
