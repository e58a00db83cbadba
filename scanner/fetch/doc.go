// Package fetch reads ranges of bytes from files, memory and remote sources.
//
// A Source returns a list of byte slices for a list of ranges, so that a remote source
// can fetch them together. Files (Open), files of an fs.FS (OpenFS), an io.ReaderAt
// (FromReaderAt) and bytes in memory (FromBytes) are sources. Parts reads ranges for a source that makes a request for
// each, and nearby ones as one.
//
// A file of Open is a Viewer, too: it can be mapped into memory, and Views then shows
// its bytes without a copy. A caller of Views must handle the fault that an access
// raises when the file fails.
//
// Each source has Traits: the identity of its bytes, by which plans, caches and scans
// notice that a file has changed, and the cost of a read, by which scans decide whether to
// prefetch. A wrapper keeps the traits of what it wraps.
//
// Glob finds the local files that a pattern names. Package web has files behind URLs.
//
// A range is checked against the source's size before memory is allocated for
// it, so a caller may request ranges that a hostile file claims. Reads stop soon
// after their context ends, with the error of Ended: large ranges are read in steps.
//
// What never comes here: what the bytes mean, retries, caches.
package fetch
