// Package output writes the answer of a command: where it goes, and in which form.
//
// A Report is tables for people, or one JSON object after the other for programs. Rows of data
// are written by a RowWriter, which is called once a batch. Formats lists the forms that every
// program has; one of a program's own is a value of the same type.
//
//	-o FILE ─▶ Destination ─┐
//	--format ─▶ Format ─────┴▶ Report ─▶ Format.New ─▶ RowWriter
//
// What never comes here: files that are read, flags, what an answer says.
package output
