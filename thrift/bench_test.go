package thrift

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// openAndTouch is what a scan of three columns does to a footer.
func openAndTouch(b []byte, c *ColumnChunk) error {
	f, err := ParseFooter(b)
	if err != nil {
		return err
	}
	for rg := range f.RowGroups {
		for _, col := range []int{0, f.RowGroups[rg].NumColumns / 2, f.RowGroups[rg].NumColumns - 1} {
			if err := f.Chunk(rg, col, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func BenchmarkFooter(b *testing.B) {
	for _, shape := range [][2]int{{2000, 5}, {10000, 10}} {
		name := fmt.Sprintf("columns=%d/groups=%d/way=", shape[0], shape[1])
		bytes := encode(b, wideFooter(shape[0], shape[1]))
		b.Run(name+"skip", func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				if _, f := skipStruct(bytes, 0, 0, nil); f != noFault {
					b.Fatal(f.at(0))
				}
			}
		})
		b.Run(name+"lazy", func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			var c ColumnChunk
			for b.Loop() {
				if err := openAndTouch(bytes, &c); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"generated", func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := strictly(bytes, wire.NewFileMetaData()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPageHeader(b *testing.B) {
	for _, w := range pageHeaders()[:3] {
		bytes := append(encode(b, w), make([]byte, 200)...) // the page
		b.Run("type="+w.Type.String()+"/way=lean", func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			var h PageHeader
			for b.Loop() {
				if _, err := ReadPageHeader(bytes, &h); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("type="+w.Type.String()+"/way=generated", func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := strictly(bytes, wire.NewPageHeader()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPageIndex(b *testing.B) {
	for _, pages := range []int{1, 300} {
		w, o := pageIndex(pages)
		index, offsets := encode(b, w), encode(b, o)
		b.Run(fmt.Sprintf("pages=%d/kind=column", pages), func(b *testing.B) {
			b.SetBytes(int64(len(index)))
			b.ReportAllocs()
			var x ColumnIndex
			for b.Loop() {
				if _, err := ReadColumnIndex(index, &x); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("pages=%d/kind=offset", pages), func(b *testing.B) {
			b.SetBytes(int64(len(offsets)))
			b.ReportAllocs()
			var x OffsetIndex
			for b.Loop() {
				if _, err := ReadOffsetIndex(offsets, &x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
