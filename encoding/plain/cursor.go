package plain

import "github.com/winnow-scan/winnow/internal/corrupt"

// cursor counts values of one size, which end at a byte of the body: 0 <= next <= end.
type cursor struct{ next, end, endsAt int }

// reset places the cursor before the first of at most n values.
func (c *cursor) reset(bytes, n, size int) {
	end := min(n, bytes/size)
	*c = cursor{end: end, endsAt: end * size}
}

// take steps over n values, or over the rest if there are fewer.
func (c *cursor) take(n int) (first, got int, err error) {
	first, got = c.next, n
	if left := c.end - c.next; n > left {
		got = left
		err = corrupt.At(c.endsAt, "values end after ", c.end, ", wanted were ", n-left, " more")
	}
	c.next += got
	return first, got, err
}

// Skip steps over n values.
func (c *cursor) Skip(n int) error {
	_, _, err := c.take(n)
	return err
}
