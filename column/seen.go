package column

// Seen returns the first row behind the pages that the cursor has come to. A
// window that ends there makes it load no others.
func (c *Cursor) Seen() int64 { return c.nextRow }
