package plain

import "github.com/winnow-scan/winnow/internal/corrupt"

// cursor counts values of one size: 0 <= next <= end, end*size <= bytes of the body.
type cursor struct{ next, end, size int }

// reset places the cursor before the first of at most n values.
func (c *cursor) reset(bytes, n, size int) {
	*c = cursor{end: min(n, bytes/size), size: size}
}

// take steps over n values, or over the rest if there are fewer.
func (c *cursor) take(n int) (first, got int, err error) {
	first, got = c.next, n
	if left := c.end - c.next; n > left {
		got = left
		err = corrupt.At(c.end*c.size, "values end after ", c.end, ", wanted were ", n-left, " more")
	}
	c.next += got
	return first, got, err
}
