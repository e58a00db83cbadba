package column

// Force fixes choices that a cursor otherwise makes by cost: for tests, since all
// ways must hand out the same, and for measuring. The zero Force leaves the
// choices to the cursor.
type Force struct {
	Gather Choice // gather wanted values, instead of decoding all and dropping the others
	Codes  Choice // drop codes that are not wanted before they become values
	Mask   Choice // test the dictionary once and look codes up in the mask, instead of testing values
	Keep   Choice // keep what a filter decodes, with the option Returned
	Stop   Choice // stop decompressing after the last wanted value of a page
	Copy   Choice // copy strings out of their page, instead of pointing into it
	Eager  bool   // decode all values of the window, then drop those that are not wanted
}

// Choice says whether one of two ways is taken.
type Choice uint8

const (
	ByCost Choice = iota
	Always
	Never
)

// or reports whether the way is taken; better says that it costs less.
func (c Choice) or(better bool) bool { return c == Always || c == ByCost && better }
