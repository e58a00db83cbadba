// Package decoders puts the same pages through winnow's decoders and those of
// two other Go readers, in one program:
//
//   - parquet-go, by its public encoding packages;
//   - arrow-go, whose decoders are internal, by its column reader, which is
//     handed page after page from memory, so that no file or header is in it.
//
// Every row of the grid is one kind of page. Its benchmarks end in impl=…, so
// benchstat compares them; a test holds all three to the values that were
// encoded. Of each kind there are several pages, taken in turn, for a branch
// predictor learns a page by heart. The same work is done by all: what a reader
// does not offer is written out for it as plainly as its users would (a loop
// that looks codes up in a dictionary), and where a reader can only do more (an
// arrow-go column has no codes, only values), its figure is the figure of that.
//
// docs/encodings-performance.md has the outcome, and the command that makes it.
//
// What never comes here: figures of whole scans, decoders without a twin.
package decoders
