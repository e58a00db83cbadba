// Package gostruct decodes rows of batches into Go structs.
//
//	Select   which columns, and parts of them, a struct type wants
//	New      a Plan: for each field of the struct, its column and a decoder
//	Decode   one row, field by field
//
// Types that do not go together are a project.Mismatch, before anything is read.
//
// What never comes here: scans, files, the choice of rows.
package gostruct
