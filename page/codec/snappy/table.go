package snappy

// rare is added to the offsets of copies that the fast loop does not execute. No output
// that the fast loop gets is as long, so its check of offsets refuses them.
const rare = 1 << 30

// copies holds, for each tag of a copy, its length in the low 8 bits, and above them the
// bits of the offset that are in the tag, at their place.
var copies = [256]uint32{
	0, 4, 1, rare, 0, 5, 2, rare, 0, 6, 3, rare, 0, 7, 4, rare,
	0, 8, 5, rare, 0, 9, 6, rare, 0, 10, 7, rare, 0, 11, 8, rare,
	0, 0x104, 9, rare, 0, 0x105, 10, rare, 0, 0x106, 11, rare, 0, 0x107, 12, rare,
	0, 0x108, 13, rare, 0, 0x109, 14, rare, 0, 0x10a, 15, rare, 0, 0x10b, 16, rare,
	0, 0x204, 17, rare, 0, 0x205, 18, rare, 0, 0x206, 19, rare, 0, 0x207, 20, rare,
	0, 0x208, 21, rare, 0, 0x209, 22, rare, 0, 0x20a, 23, rare, 0, 0x20b, 24, rare,
	0, 0x304, 25, rare, 0, 0x305, 26, rare, 0, 0x306, 27, rare, 0, 0x307, 28, rare,
	0, 0x308, 29, rare, 0, 0x309, 30, rare, 0, 0x30a, 31, rare, 0, 0x30b, 32, rare,
	0, 0x404, 33, rare, 0, 0x405, 34, rare, 0, 0x406, 35, rare, 0, 0x407, 36, rare,
	0, 0x408, 37, rare, 0, 0x409, 38, rare, 0, 0x40a, 39, rare, 0, 0x40b, 40, rare,
	0, 0x504, 41, rare, 0, 0x505, 42, rare, 0, 0x506, 43, rare, 0, 0x507, 44, rare,
	0, 0x508, 45, rare, 0, 0x509, 46, rare, 0, 0x50a, 47, rare, 0, 0x50b, 48, rare,
	0, 0x604, 49, rare, 0, 0x605, 50, rare, 0, 0x606, 51, rare, 0, 0x607, 52, rare,
	0, 0x608, 53, rare, 0, 0x609, 54, rare, 0, 0x60a, 55, rare, 0, 0x60b, 56, rare,
	0, 0x704, 57, rare, 0, 0x705, 58, rare, 0, 0x706, 59, rare, 0, 0x707, 60, rare,
	0, 0x708, 61, rare, 0, 0x709, 62, rare, 0, 0x70a, 63, rare, 0, 0x70b, 64, rare,
}

// masks selects, of the bytes after the tag of a copy, those of the offset, for each kind that the fast loop executes.
var masks = [4]uint32{1: 1<<8 - 1, 2: 1<<16 - 1}
