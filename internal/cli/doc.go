// Package cli is the program scan: its commands, flags, files and outputs.
// cmd/scan is its main function.
//
// How it is built: command.go holds the table of commands, options.go the
// flags that all of them share, report.go the two ways out (a table for people,
// records for programs). Each command has a file of its own. Those that print
// rows share cat.go, which scans, and rows.go, csv.go and rowtable.go, which
// are called once a batch and write.
//
// What never comes here: decoding, and anything that a program which embeds the
// scanner would call.
package cli
