package column

// policy forces choices that a cursor makes by cost, so that tests can compare
// the ways. The zero policy chooses.
type policy struct {
	stop   choice // decompressing before the end of a page
	gather choice // wanted values, instead of decoding all
	keep   choice // what a filter decodes, with the option Returned
}

type choice uint8

const (
	whenBetter choice = iota
	always
	never
)
