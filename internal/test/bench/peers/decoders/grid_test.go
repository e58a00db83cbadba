package decoders

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/test/bench"
)

// An impl is one reader's way through the pages of a row.
type impl struct {
	name   string
	decode func(page int) error
	values func() any // what the last decode made, of one type for the whole row
}

// A row of the grid is one kind of page.
type row struct {
	name  string
	n     int             // values of a page
	size  int             // bytes that one page's values take
	want  func(p int) any // the values that went into a page
	impls []impl
}

// A scale is how large pages are and how many a row has.
type scale struct {
	n, pages int
}

// rows visits the whole grid.
func rows(s scale, visit func(row)) {
	codeRows(s, visit)
	dictionaryRows(s, visit)
	maskRows(s, visit)
	deltaRows(s, visit)
	stringRows(s, visit)
	splitRows(s, visit)
	boolRows(s, visit)
	levelRows(s, visit)
	copyRows(s, visit)
}

func TestAllAgree(t *testing.T) {
	s := scale{2016, 2}
	rows(s, func(r row) {
		t.Run(r.name, func(t *testing.T) {
			// Reader by reader: some write to the same memory, where the page before must not pass for this one.
			for _, im := range r.impls {
				for p := range s.pages {
					if err := im.decode(p); err != nil {
						t.Fatalf("%s: %v", im.name, err)
					}
					if got := im.values(); !reflect.DeepEqual(got, r.want(p)) {
						t.Errorf("%s, page %d: other values than were encoded", im.name, p)
					}
				}
			}
		})
	})
}

func Benchmark(b *testing.B) {
	s := scale{32256, 8} // 64 runs of 504
	rows(s, func(r row) {
		for _, im := range r.impls {
			b.Run(r.name+"/impl="+im.name, func(b *testing.B) {
				b.SetBytes(int64(r.size))
				b.ReportAllocs()
				// Each page once, so that buffers have grown before time counts: on a
				// busy machine there are few turns.
				for p := range s.pages {
					if err := im.decode(p); err != nil {
						b.Fatal(err)
					}
				}
				before := bench.ProcessorTime()
				for p := 0; b.Loop(); p++ {
					if err := im.decode(p % s.pages); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(r.n)*float64(b.N)/(bench.ProcessorTime()-before).Seconds()/1e6, "Mvalues/s")
			})
		}
	})
}

// body gives a page the spare bytes that all three readers like to have.
func body(b []byte) []byte {
	return append(b, make([]byte, encoding.Padding)...)[:len(b)]
}

// pages makes one thing for each page, from a random source of its own.
func pages[T any](s scale, make func(r *rand.Rand) T) []T {
	var all []T
	for p := range s.pages {
		all = append(all, make(rand.New(rand.NewPCG(7, uint64(p)))))
	}
	return all
}

// random returns n things.
func random[T any](n int, one func() T) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = one()
	}
	return v
}

// mapped returns f of each value.
func mapped[A, B any](v []A, f func(A) B) []B {
	w := make([]B, len(v))
	for i, x := range v {
		w[i] = f(x)
	}
	return w
}
