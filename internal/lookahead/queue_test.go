package lookahead

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// shelf has numbers from 0 on, each of which takes a second to open.
type shelf struct {
	things, begun int
	open, most    int // at the same time: now, and at any time
	fails         int // this one cannot be opened
}

var errFails = errors.New("cannot be opened")

func (s *shelf) next() func() (int, error) {
	if s.begun == s.things {
		return nil
	}
	n := s.begun
	s.begun++
	s.open++
	s.most = max(s.most, s.open)
	return func() (int, error) {
		time.Sleep(time.Second)
		if n == s.fails {
			return 0, errFails
		}
		return n, nil
	}
}

func (s *shelf) close(int) { s.open-- }

// Things come in order, and several are opened at the same time, but no more than allowed.
func TestQueue(t *testing.T) {
	for _, c := range []struct {
		most    int
		seconds time.Duration
	}{{1, 9}, {2, 5}, {3, 3}, {4, 3}, {9, 1}, {100, 1}} {
		synctest.Test(t, func(t *testing.T) {
			s := &shelf{things: 9, fails: -1}
			q := New(c.most, s.next, s.close)
			var got []int
			start := time.Now()
			for o := q.Next(); o != nil; o = q.Next() {
				n, err := o.Wait()
				if err != nil {
					t.Error(err)
				}
				got = append(got, n)
				s.close(n)
			}
			if took := time.Since(start); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) || took != c.seconds*time.Second || s.most != min(c.most, 9) || s.open != 0 {
				t.Errorf("at most %d: %v in %v, %d at the same time, %d not closed", c.most, got, took, s.most, s.open)
			}
		})
	}
}

// An error comes in the place of its thing. Stop closes what has been opened for nobody; the
// bubble does not end before all goroutines have.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{things: 9, fails: 1}
		q := New(4, s.next, s.close)
		if n, err := q.Next().Wait(); n != 0 || err != nil {
			t.Error(n, err)
		}
		if _, err := q.Next().Wait(); err != errFails {
			t.Error(err)
		}
		q.Stop()
		if o := q.Next(); o != nil || s.begun != 5 || s.open != 2 {
			t.Errorf("after Stop comes %v; %d were begun, %d are not closed, not those that were taken", o, s.begun, s.open)
		}
	})
}
