// Package closest finds what a mistyped name is likely to mean, for error messages.
//
// What never comes here: the texts of errors.
package closest
