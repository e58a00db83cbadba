package column

// Seen returns the first row behind the pages that the cursor has come to. A
// window that ends there makes it load no others.
func (c *Cursor) Seen() int64 { return c.nextRow }

// Come has the cursor come to the page in which the window starts, as reading that
// row would, but for its body. Where that fails, the next call says so.
func (c *Cursor) Come() {
	for c.err == nil && c.nextRow <= c.at && c.at < c.src.Rows {
		if err := c.list(); err != nil {
			c.fail(err)
		}
	}
}
