// Package forms brings the vectors of batches to the forms that their fields promise.
//
//	Field.Dictionary    vector comes as        and leaves as
//	Never               Dictionary             Flat
//	Always              Flat, Constant         Dictionary of its values
//	Always              Dictionary             Dictionary; without repeated entries
//
// A DictionaryConverter does so for the columns of a scan, an Encoder for one leaf. Both keep memory
// from batch to batch, and belong to one goroutine at a time.
//
// What never comes here: reading, and which form a column is to have.
package forms
