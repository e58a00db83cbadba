package zstd

// The three tables, in the order in which a block describes them.
const (
	tableLL = iota // lengths of literals
	tableOF        // offsets
	tableML        // lengths of matches
)

// mostStates is the size of the largest table.
const mostStates = 1 << mostLog

const mostLog = 9

// codes returns the entries of a table's symbols, without next states.
func codes(table int) (c [256]state, n int) {
	switch table {
	case tableLL:
		n = fillCodes(&c, 16, 0, []int{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	case tableML:
		n = fillCodes(&c, 32, 3, []int{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	case tableOF:
		// Offsets are stored with 3 added: numbers up to 3 stand for the last ones.
		for n = range 31 {
			c[n] = symbol(n, 0)
		}
		n++
	}
	return c, n
}

// fillCodes gives n symbols one value each, starting with base, and each of the others as
// many values as its extra bits distinguish.
func fillCodes(c *[256]state, n, base int, extra []int) (at int) {
	for ; at < n; at++ {
		c[at] = symbol(0, uint32(base))
		base++
	}
	for _, b := range extra {
		c[at] = symbol(b, uint32(base))
		base += 1 << b
		at++
	}
	return at
}

// usual returns the counts of the predefined table, which a block does not describe.
func usual(table int) (c counts) {
	var k []int16
	switch table {
	case tableLL:
		c.log = 6
		k = []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}
	case tableOF:
		c.log = 5
		k = []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}
	case tableML:
		c.log = 6
		k = []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}
	}
	c.n = copy(c.of[:], k)
	return c
}
