// Package annotate gives every byte of a page its meaning. A page is up to
// three sections: its header, its body as it lies in the file and, if that is
// compressed, what it decompresses to. The spans of a section follow one another
// without a gap:
//
//	15 04              type = DATA_PAGE (0)
//	...
//	02 00 00 00        definition levels: 2 bytes
//	06 01              definition levels: 3 × 1
//	01 00 00 00        value 0 = 1
//
// Any bytes are annotated: where they make no sense, the rest of the section (or
// of the part of it that has a length) is one span that says why.
//
// It shares no code with the decoders, so what it shows of a page does not depend
// on what they make of it.
//
// What never comes here: files, decompression, and how spans are shown.
package annotate
