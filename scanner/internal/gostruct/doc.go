// Package gostruct decodes rows of batches into Go structs.
//
//	Select   the columns, and parts of them, that a struct type needs
//	New      a Plan: for each field of the struct, its column and a decoder
//	Decode   one row, field by field
//
// A Go type that cannot hold its column is a project.Mismatch, before anything is read.
//
// What never comes here: scans, files, the choice of rows.
package gostruct
