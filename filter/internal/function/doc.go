// Package function is the table of what functions in conditions are called, take and return, and
// runs them on vectors. What keeps the order of numbers or moments is inverted by package value
// instead, so that statistics and indexes serve it.
//
// What never comes here: columns, conditions, three-valued logic.
package function
