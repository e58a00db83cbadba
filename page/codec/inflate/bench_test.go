package inflate

import (
	"bytes"
	"io"
	"strconv"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// BenchmarkDecode is for benchstat -col /impl. Each turn decodes the next of 16 pages.
func BenchmarkDecode(b *testing.B) {
	for _, k := range codectest.Kinds() {
		pages := k.Pages()
		for _, level := range []int{1, 6, 9} {
			bodies, size, most := packed(b, pages, level)
			dst := make([]byte, most, most+64)
			var d Decoder
			var in bytes.Reader
			var lib gzip.Reader
			for _, impl := range []struct {
				name   string
				decode func(dst, body []byte) error
			}{
				{"winnow", d.Decode},
				{"klauspost", func(dst, body []byte) error {
					in.Reset(body)
					if err := lib.Reset(&in); err != nil {
						return err
					}
					_, err := io.ReadFull(&lib, dst)
					return err
				}},
			} {
				b.Run("page="+k.Name+"/level="+strconv.Itoa(level)+"/impl="+impl.name, func(b *testing.B) {
					b.SetBytes(int64(size / len(bodies)))
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						if err := impl.decode(dst[:len(pages[i%len(pages)])], bodies[i%len(bodies)]); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

func BenchmarkDecodePrefix(b *testing.B) {
	pages := codectest.Kinds()[0].Pages()
	bodies, _, most := packed(b, pages, 6)
	var d Decoder
	for _, percent := range []int{1, 10, 50} {
		b.Run("page="+codectest.Kinds()[0].Name+"/need="+strconv.Itoa(percent)+"%", func(b *testing.B) {
			dst := make([]byte, most*percent/100, most)
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := d.DecodePrefix(dst, bodies[i%len(bodies)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// packed returns pages as GZIP, their size, and that of the longest.
func packed(b *testing.B, pages [][]byte, level int) (bodies [][]byte, size, most int) {
	for _, p := range pages {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, level)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Write(p); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		bodies, size, most = append(bodies, out.Bytes()), size+len(p), max(most, len(p))
	}
	return bodies, size, most
}
