// Package selection finds the columns that a flag names in the schema of a file.
//
// What never comes here: rows, options of scans, other flags.
package selection
