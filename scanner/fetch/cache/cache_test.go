package cache

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func key(name string, off int) Key {
	return Key{fetch.Identity{Name: name}, fetch.Range{Off: int64(off), Len: 1}}
}

func TestLRUIsBounded(t *testing.T) {
	const most = 10 * (entryBytes + 101)
	c := New(most)
	for i := range 100 {
		c.Put(key("f", i), make([]byte, 100))
		if c.Get(key("f", 0)) == nil {
			t.Fatalf("after %d: the one that is used all the time is gone", i)
		}
		if n := c.Counters().Bytes; n > most || i >= 9 && n != most {
			t.Fatalf("after %d: %d bytes of %d", i, n, most)
		}
	}
	for i := range 100 {
		if kept := c.Get(key("f", i)) != nil; kept != (i == 0 || i > 90) {
			t.Errorf("%d is kept: %v", i, kept)
		}
	}
	c.Put(key("large", 0), make([]byte, most))
	if c.Get(key("large", 0)) != nil || c.Get(key("f", 99)) == nil {
		t.Error("what does not fit drives out what does")
	}
	c.Put(key("f", 99), make([]byte, 50))
	if n := c.Counters().Bytes; n != most-50 {
		t.Errorf("%d bytes after one is replaced by a smaller one, want %d", n, most-50)
	}
	if n := c.Counters(); n.Hits != 100+10+1 || n.Misses != 90+1 {
		t.Errorf("%+v", n)
	}
	New(0).Put(key("f", 0), nil)
}

func TestLRUOfManyGoroutines(t *testing.T) {
	c := New(20 * entryBytes)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for range 2000 {
				i := r.IntN(50)
				if b := c.Get(key("f", i)); b == nil {
					c.Put(key("f", i), []byte{byte(i)})
				} else if b[0] != byte(i) {
					t.Errorf("%d for %d", b[0], i)
				}
			}
		})
	}
	all.Wait()
	if n := c.Counters(); n.Hits+n.Misses != 8*2000 || n.Hits == 0 || n.Bytes > 20*entryBytes {
		t.Errorf("%+v", n)
	}
}

func TestSource(t *testing.T) {
	data := []byte("0123456789")
	id := fetch.Identity{Name: "x", Size: 10, Tag: "1"}
	rec := record.Of(fetch.WithTraits(fetch.FromBytes(data), fetch.Traits{Identity: id}))
	c := New(1 << 20)
	read := func(s *Source, want string, ranges ...fetch.Range) {
		t.Helper()
		got, err := s.ReadRanges(t.Context(), ranges, nil)
		if err != nil || len(got) != len(ranges) {
			t.Fatalf("%d parts, %v", len(got), err)
		}
		for i, r := range ranges {
			if !bytes.Equal(got[i], data[r.Off:r.End()]) {
				t.Errorf("%v: %q", r, got[i])
			}
		}
		if text := rec.Text(); text != want {
			t.Errorf("read %q, want %q", text, want)
		}
	}
	a, b := fetch.Range{Off: 2, Len: 3}, fetch.Range{Off: 4, Len: 6}
	s := NewSource(rec, c, id)
	read(s, "read 2+3\n", a)
	read(s, "", a)
	read(s, "read 4+6\n", b, a)
	read(NewSource(rec, c, id), "", a, b, a)
	read(s, "read 5+0\n", fetch.Range{Off: 5}) // an empty range is not kept
	if &s.Get(a)[0] == &data[2] {
		t.Error("memory of the source is kept, not a copy")
	}
	other := id
	other.Tag = "2"
	read(NewSource(rec, c, other), "read 2+3\n", a)
	read(NewSource(rec, c, other), "read 2+3\n", a) // not kept: the source says that its tag is 1
	read(NewSource(rec, nil, id), "read 2+3\n", a)
	for _, r := range []fetch.Range{{Off: 9, Len: 2}, {Off: -1, Len: 1}, {Off: 0, Len: 1 << 62}} {
		if _, err := s.ReadRanges(t.Context(), []fetch.Range{r}, nil); err == nil {
			t.Errorf("%v: no error", r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ReadRanges(ctx, []fetch.Range{a}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Bytes that may be of two states of a file are not kept.
func TestUnknownIsNotKept(t *testing.T) {
	now := time.Now()
	for i, tc := range []struct {
		id   fetch.Identity
		kept bool
	}{
		{fetch.Identity{}, false},
		{fetch.Identity{Name: "x"}, false},
		{fetch.Identity{Tag: "x"}, false},
		{fetch.Identity{Name: "x", Tag: "x"}, true},
		{fetch.Identity{Name: "x", Modified: now.Add(-time.Minute)}, true},
		{fetch.Identity{Name: "x", Modified: now, Tag: "x"}, false},
		{fetch.Identity{Name: "x", Modified: now.Add(time.Hour)}, false},
	} {
		tc.id.Size = 3
		src := fetch.WithTraits(fetch.FromBytes([]byte("abc")), fetch.Traits{Identity: tc.id})
		c := New(1 << 20)
		r := fetch.Range{Off: 1, Len: 1}
		if _, err := fetch.ReadRange(t.Context(), NewSource(src, c, tc.id), r, nil); err != nil {
			t.Fatal(err)
		}
		tc.id.Modified = tc.id.Modified.In(time.FixedZone("elsewhere", 3600))
		if kept := NewSource(src, c, tc.id).Get(r) != nil; kept != tc.kept || c.Counters().Bytes > 0 != kept {
			t.Errorf("%d, %+v: kept %v, %+v", i, tc.id, kept, c.Counters())
		}
	}
}

// wrong is a host's cache that returns something else.
type wrong []byte

func (w wrong) Get(Key) []byte  { return w }
func (w wrong) Put(Key, []byte) {}

func TestBytesOfAnotherLengthAreNotUsed(t *testing.T) {
	id := fetch.Identity{Name: "x", Size: 3, Tag: "x"}
	for _, w := range []wrong{nil, {}, []byte("a"), []byte("abcd")} {
		s := NewSource(fetch.FromBytes([]byte("abc")), w, id)
		if got, err := fetch.ReadRange(t.Context(), s, fetch.Range{Off: 1, Len: 2}, nil); err != nil || string(got) != "bc" {
			t.Errorf("%q: %q, %v", w, got, err)
		}
	}
}
