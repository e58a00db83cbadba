// Package cli is the program scan: its commands, flags, files and formats.
// cmd/scan is its main function:
//
//	scan := cli.Program{Name: "scan", Schemes: cli.Web()}
//	os.Exit(scan.Main())
//
// A larger program is the same program with more of three things. A Scheme opens
// files with names like s3://bucket/key, for every command. A Format writes rows
// of data, for the commands that print them, as --format and the ending of -o
// choose. A Command stands beside the others, in help and completion too.
//
// The way of one command line: dispatch finds its row in the table of commands
// (commands.go), command.Parse reads its flags, execute visits the files
// (package input), and the command's task writes to a report (package output):
// tables for people, records for programs.
//
// The rooms below it, each of which imports only those further down:
//
//	answer, inspect, explain, verify, serve   the commands
//	guide                                     what users read of them
//	command                                   the type of a row of the table, flags
//	chunks                                    pages, bounds and indexes as commands show them
//	input, output, progress, selection        files, answers, how far it is, columns
//	fault, stream                             errors, pipes
//	table, picture, annotate, wirename        text, drawings, the bytes of a page, names of the format
//	summary, advice                           what values are, what another shape would save
//
// What never comes here: decoding, dependencies that the engine does not have,
// and what a program that embeds the scanner would call.
package cli
