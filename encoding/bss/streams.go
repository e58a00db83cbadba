package bss

import "github.com/winnow-scan/winnow/internal/corrupt"

// streams are the size streams of a body: byte k of value i is
// body[k*count+i], and 0 <= next <= count.
type streams struct {
	body        []byte
	count, size int
	next        int
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
	s.body, s.count = body, len(body)/size
	return nil
}

// take steps over n values, or over the rest if there are fewer.
func (s *streams) take(n int) (first, got int, err error) {
	first, got = s.next, n
	if left := s.count - s.next; n > left {
		got = left
		err = corrupt.At(len(s.body), "values end after ", s.count, ", wanted were ", n-left, " more")
	}
	s.next += got
	return first, got, err
}

// Skip steps over n values.
func (s *streams) Skip(n int) error {
	_, _, err := s.take(n)
	return err
}
