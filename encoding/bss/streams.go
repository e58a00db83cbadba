package bss

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// streams are the size streams of a body: byte k of value i is body[k*Count+i].
type streams struct {
	body []byte
	size int
	encoding.Cursor
}

func (s *streams) reset(body []byte, n, size int) error {
	*s = streams{size: size}
	switch {
	case size <= 0:
		return corrupt.At(-1, "values of ", size, " bytes")
	case len(body)%size != 0:
		return corrupt.At(-1, len(body), " bytes in streams of values of ", size, " bytes")
	case len(body)/size > n:
		return corrupt.At(-1, len(body)/size, " values in a page of at most ", n)
	}
	s.body, s.Cursor = body, encoding.Cursor{Count: len(body) / size, EndsAt: len(body)}
	return nil
}
