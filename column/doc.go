// Package column reads one leaf column chunk through a windowed cursor.
//
// On a window of row ordinals [a, b) of the row group, filters narrow a
// selection and reads fetch the selected values, any number of times and in
// any order; then the window moves on and there is no way back. Everything
// that one chunk needs for that lives here: transitions from page to page,
// dictionary pages and the fall-back to PLAIN, spreading values over nulls,
// rows that span pages, and handing leaf tests to the decoders' kernels.
//
// The packages below are its vocabulary:
//
//	vector     types, the one memory shape, the one textual form of a value
//	schema     what a column is: tree, levels, lists and maps, logical types
//	pred       leaf tests that decoders understand
//	assemble   levels to nested vectors
//
// What never comes here: other columns, expressions, thresholds that weigh one
// plan against another, files.
package column
