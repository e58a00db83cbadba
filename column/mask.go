package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
)

// dictionaryTest is a test of the column, and its mask once the dictionary was tested.
type dictionaryTest struct {
	test   *pred.Test
	tested int // how many values were tested without the mask
	made   bool
	mask   values.CodeMask
}

// mask returns the mask for a test, or nil while testing values costs less than
// testing the entries of the dictionary: while there are more entries than values
// tested so far, n of them now, and than rows to test in the window.
func (c *Cursor) mask(t *pred.Test, n int) (*values.CodeMask, error) {
	entries, typ := c.dict.Len(), c.src.Leaf.Type
	m := c.dictionaryTest(t)
	if m.made {
		return &m.mask, nil
	}
	if entries == 0 {
		return nil, nil // any code is an error, which decoding reports
	}
	m.tested += n
	price := entries
	if t.Kind == pred.Range && (values.IsNumber(typ) || typ.Store() == vector.InFixed && t.KeepsFixed(typ.Width())) {
		price /= 24 // a kernel tests six entries while one row is looked up, and rows of other windows will be, too
	}
	if c.dict.TestsInPage(t) {
		price /= 8 // to look up one row needs views of all; 0 instead of an eighth was as fast on 15,000 URLs
	}
	if !c.opts.Force.Mask.or(max(m.tested, c.demand.tested) >= price) && t.Kind != pred.Codes {
		return nil, nil
	}
	if err := m.mask.Make(c.dict, t); err != nil {
		return nil, c.chunk.inDictionary(err)
	}
	m.made = true
	return &m.mask, nil
}

// dictionaryTest returns the entry for a test, which it makes if there is none.
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
