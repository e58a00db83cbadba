// Package summary tells what the values of columns are, in one pass: how many,
// how many different ones, the least, the greatest, the mean, the most frequent,
// and how they are distributed.
//
//	t := summary.New(fields)
//	for batch := range scan {
//		if !t.Add(batch) {
//			batch.Release()
//		}
//	}
//	t.Finish()
//
// A column is a leaf; of nested columns, each has its own slots. Values of a
// dictionary are looked at once a row group, each with the number of its slots.
// Others come in blocks: their keys are made, then one loop each finds extremes,
// sums, distinct values and frequent ones.
//
//	numbers, times, booleans   key: an int64 that sorts as the values do
//	bytes                      key: the bytes, of decimals without padding
//
// Memory does not grow with the rows: values are counted while they are few, and
// those that come often after that (frequent.go); then a sketch estimates how many
// different ones there are (sketch.go). The bins of a histogram become wider
// (histogram.go).
//
// What never comes here: files, text for people, and exactness that needs a sort.
package summary
