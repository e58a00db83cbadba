package snappy

// rare is added to the offsets of copies that a fast loop does not execute. No output that it gets is as long, so its
// check of offsets refuses them. It leaves the low 16 bits of an offset as they are.
const rare = 1 << 30

// A tagTable holds, for each tag of a copy, what the tag adds to the offset that follows it, and the length.
type tagTable struct {
	offsets [256]uint32
	lengths [256]uint8
}

// nearCopies is a table in which no copy is rare for its length.
var nearCopies = newTagTable(64)

// newTagTable makes a table in which copies of more than longest bytes, from offsets of two bytes, are rare.
func newTagTable(longest int) (t tagTable) {
	for tag := range 256 {
		offset, length := 0, tag>>2+1
		switch kind := tag & 3; {
		case kind == 1:
			offset, length = tag>>5<<8, tag>>2&7+4
		case kind == 2 && length > longest, kind == 3:
			offset = rare
		}
		t.offsets[tag], t.lengths[tag] = uint32(offset), uint8(length)
	}
	return t
}

// masks selects, of the bytes after the tag of a copy, those of the offset, for each kind that the fast loop executes.
var masks = [4]uint32{1: 1<<8 - 1, 2: 1<<16 - 1}
