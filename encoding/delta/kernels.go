package delta

// A kernel decodes consecutive whole miniblocks of one block.
type kernel uint8

const (
	none   kernel = iota
	narrow        // for deltas that each lie in four bytes
	wide          // in eight
)
