package column

// Force fixes choices that a cursor makes by cost, so that the ways can be
// compared: by tests, since they must hand out the same, and by who measures
// them. The zero Force has the cursor choose.
type Force struct {
	Gather Choice // wanted values are gathered, instead of decoding all and dropping others
	Codes  Choice // what is dropped of decoded codes is dropped before they become values
	Mask   Choice // codes meet a mask of their dictionary, instead of values being tested
	Keep   Choice // what a filter decodes is kept, with the option Returned
	Stop   Choice // decompressing stops before the end of a page
	Copy   Choice // strings are copied out of their page, instead of keeping it
	Eager  bool   // what lies between wanted rows of the window is decoded as well, then dropped
}

// Choice is what is done about one of two ways.
type Choice uint8

const (
	ByCost Choice = iota
	Always
	Never
)

// or returns what is forced, and else what costs less.
func (c Choice) or(better bool) bool { return c == Always || c == ByCost && better }
