package delta

// A kernel decodes whole miniblocks, one after the other, of one block.
type kernel uint8

const (
	none   kernel = iota
	narrow        // for deltas that lie in four bytes each
	wide          // in eight
)
