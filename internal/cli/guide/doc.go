// Package guide writes what users read of the commands: help, the manual page and scripts that
// complete command lines. All of it is made of the table of commands.
//
// What never comes here: the words on a single command, which stand in its row.
package guide
