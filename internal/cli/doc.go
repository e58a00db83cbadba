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
// The way of one command line: dispatch (command.go) finds the command, parse
// (options.go, flags.go) reads its flags, execute (execute.go) visits the files
// (inputs.go, opener.go), and the command's task writes to a report (report.go):
// tables for people, records for programs. Commands that print rows share cat.go,
// which scans, and a RowWriter (rows.go, csv.go), which is called once a batch.
// Each command has a file of its own: the name of those that show what a file is
// made of starts with show_.
//
// Below it are the rooms table (text for people), summary (what values are),
// annotate (the bytes of a page) and wirename (the names of the format).
//
// What never comes here: decoding, dependencies that the engine does not have,
// and what a program that embeds the scanner would call.
package cli
