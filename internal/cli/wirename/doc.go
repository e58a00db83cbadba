// Package wirename names the enumerations of the format for people: by the name
// that the format gives a number, and a number that the format does not know by
// itself.
//
// What never comes here: what the numbers mean.
package wirename
