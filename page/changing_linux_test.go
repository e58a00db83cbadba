//go:build !race

package page

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// Headers and lengths of levels that change while a chunk is walked over, and its pages are split.
func TestPagesWhileBytesChange(t *testing.T) {
	for _, version := range []int{1, 2} {
		chunk, spans := written(t, gen.Column{Shape: gen.Shape{Version: version, PageStats: gen.MinMax | gen.NullCount}, PageRows: []int{100}}, 500)
		var heads []int
		for _, s := range spans {
			for at := s.Start; at < s.Body+8; at++ {
				heads = append(heads, int(at))
			}
		}
		u, err := Options{IgnoreCRC: true}.Unpacker(thrift.CodecUncompressed)
		if err != nil {
			t.Fatal(err)
		}
		dtest.WhileChanging(t, chunk, heads, func(r *rand.Rand, chunk []byte) {
			var w Walker
			w.Reset(Chunk{Length: int64(len(chunk))})
			w.Supply(0, chunk)
			for pages := 0; ; pages++ {
				p, _, _ := w.Next()
				if p == nil {
					return
				}
				if p.End() > int64(len(chunk)) || pages > len(chunk) {
					panic("a page that the chunk does not hold")
				}
				packed, need := w.Packed()
				if need.Some() {
					return
				}
				body, err := u.Unpack(nil, &p.Header, packed, len(packed))
				if err != nil {
					return
				}
				parts, _, err := Split(&p.Header, thrift.TypeInt64, 0, 1, body)
				if err == nil && len(parts.Repetition)+len(parts.Definition)+len(parts.Values) > len(body) {
					panic("parts of more bytes than the page")
				}
				s := &p.Header.Statistics
				for _, b := range [][]byte{s.Min, s.Max, s.MinValue, s.MaxValue} {
					for i := range b {
						_ = b[i]
					}
				}
			}
		})
	}
}
