package compile

import (
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/filter"
)

// BenchmarkVerdict judges a page by its bounds.
func BenchmarkVerdict(b *testing.B) {
	for _, keys := range []int{1, 1000, 100_000} {
		b.Run("keys="+strconv.Itoa(keys), func(b *testing.B) {
			values := make([]int, keys)
			for i := range values {
				values[i] = 10 * i
			}
			p, err := Bind(filter.In(filter.Col("x"), values), oneColumn(b, kind("i64")), nil)
			if err != nil {
				b.Fatal(err)
			}
			test := testsOf(p)[0]
			bounds := Bounds{Min: le64(1001), Max: le64(1009), HasMin: true, HasMax: true, Sure: true, Slots: 10}
			b.ReportAllocs()
			for b.Loop() {
				if test.Verdict(&bounds) != None {
					b.Fatal("not none")
				}
			}
		})
	}
}

// BenchmarkBind makes a program of an IN list.
func BenchmarkBind(b *testing.B) {
	for _, keys := range []int{10, 1000, 100_000} {
		b.Run("keys="+strconv.Itoa(keys), func(b *testing.B) {
			values := make([]int, keys)
			for i := range values {
				values[i] = 10 * i
			}
			e := filter.In(filter.Col("x"), values)
			s := oneColumn(b, kind("i64"))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Bind(e, s, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
