package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
)

// dictionaryTest is a test that the chunk's codes may be held against.
type dictionaryTest struct {
	test   *pred.Test
	tested int // values that were tested one by one
	made   bool
	mask   values.CodeMask
}

// mask returns the mask for a test; nil while testing values costs less than
// testing all entries, since fewer were tested and are to be tested in the
// window. n more values are.
func (c *Cursor) mask(t *pred.Test, n int) *values.CodeMask {
	dict := c.dict.Entries()
	m := c.dictionaryTest(t)
	if m.made {
		return &m.mask
	}
	if dict.Len == 0 {
		return nil // any code is an error, which decoding finds
	}
	m.tested += n
	price := dict.Len
	if t.Kind == pred.Range && (values.IsNumber(dict.Type) || dict.Type.Store() == vector.InFixed && t.KeepsFixed(dict.Type.Width())) {
		price /= 24 // a kernel tests six entries while one row is looked up, and rows of other windows will be, too
	}
	if !c.opts.Force.Mask.or(max(m.tested, c.demand.tested) >= price) && t.Kind != pred.Codes {
		return nil
	}
	m.made = true
	m.mask.Make(c.dict, t)
	return &m.mask
}

// dictionaryTest finds or makes the entry for a test.
func (c *Cursor) dictionaryTest(t *pred.Test) *dictionaryTest {
	for i := range c.tests {
		if c.tests[i].test == t {
			return &c.tests[i]
		}
	}
	if n := len(c.tests); n < cap(c.tests) {
		c.tests = c.tests[:n+1]
	} else {
		c.tests = append(c.tests, dictionaryTest{})
	}
	m := &c.tests[len(c.tests)-1]
	*m = dictionaryTest{test: t, mask: m.mask}
	return m
}
