// Package rank compares values of a leaf column and keeps the first rows of an order.
//
//	Extreme   the least or greatest value of a vector
//	Ranking   ORDER BY a column LIMIT n: rows by value, and the bound that others must meet
//
// What never comes here: reading, which rows are looked at.
package rank
