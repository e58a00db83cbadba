package encoding

import "github.com/winnow-scan/winnow/internal/corrupt"

// Cursor counts the values of a body that a decoder has passed: 0 <= At <= Count. Decoders embed it that need not read
// values to pass them.
type Cursor struct{ At, Count, EndsAt int } // values, and the byte where the last one ends

// Take steps over n values, or over the rest if there are fewer.
func (c *Cursor) Take(n int) (first, got int, err error) {
	first, got = c.At, n
	if left := c.Count - c.At; n > left {
		got = left
		err = corrupt.At(c.EndsAt, "values end after ", c.Count, ", wanted were ", n-left, " more")
	}
	c.At += got
	return first, got, err
}

// Skip steps over n values.
func (c *Cursor) Skip(n int) error {
	_, _, err := c.Take(n)
	return err
}
