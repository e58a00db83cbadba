// Package input finds and opens the files of a command line: those of this machine and of
// schemes, streams, folders as tables, encrypted files with their keys.
//
//	arguments ──Find──▶ Files ──Visit──▶ File, one after the other
//	                      └─ files of schemes are opened, and begun to read, ahead
//
// What never comes here: what is done with a file, and the text of answers.
package input
