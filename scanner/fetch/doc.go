// Package fetch brings ranges of bytes from where a file lies.
//
// A Source answers a list of ranges with a list of byte slices, so that a
// source far away can fetch them together. Files (Open), those of an fs.FS (OpenFS), anything with ReadAt
// (FromReaderAt) and bytes in memory (FromBytes) are sources. Two wrappers
// compose with any of them: Coalesce reads nearby ranges as one, a Recorder
// writes down each range that is asked for.
//
// A file that Open opened is a Viewer, too: it can be mapped into memory, and
// Views then shows its bytes without reading them. Who asks for that has to
// bear that the memory fails when the file does.
//
// A source far away says so, see Far: what a scan needs is then asked for before
// it is needed.
//
// Glob finds the local files that a pattern names.
//
// A range is checked against the source's size before a byte is allocated for
// it, so a caller may ask for what a hostile file claims. Reads stop soon
// after their context ends, with the error of Ended: large ranges are read in steps.
//
// What never comes here: what the bytes mean, retries, caches, goroutines.
package fetch
