package filter

import (
	"github.com/winnow-scan/winnow/column/vector"
)

// Constants are columns that have the same value in all rows of a file: columns
// that the file lacks, and partition columns whose value its path gives. The key is
// the column's path as schema.FormatPath writes it. Structs, lists and maps are always
// NULL. A constant hides a column of the file with the same path.
type Constants map[string]vector.Scalar
