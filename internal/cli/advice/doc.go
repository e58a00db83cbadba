// Package advice computes how many bytes a query would have read of a file of another
// shape: sorted, with other pages or row groups, with Bloom filters, dictionaries, another
// codec.
//
// A Query is what a scan of the file has shown. Its unit is the block, some hundred or
// thousand neighbouring rows of one row group. Of a block it has the bounds of the columns
// that conditions test, how many rows pass each, and how many bytes each column takes:
//
//	row group   0                       1
//	block       | 0    | 1    | 2  |    | 3    | 4    | 5  |
//	bounds      2..9   3..7   8..9      1..9   1..3   4..9
//	pass        0      12     1         0      0      3
//	bytes       1200   1180   417       1210   1199   430
//
// A page or row group of a candidate is some neighbouring blocks. Its bounds are theirs, so
// whether a scan could leave it out is computed as the scan does it, from the data.
//
// What never comes here: files, reading, text for people.
package advice
