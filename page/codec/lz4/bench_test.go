package lz4

import (
	"testing"

	"github.com/pierrec/lz4/v4"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// BenchmarkDecode is for benchstat -col /impl. Each turn decodes the next of 16 pages.
func BenchmarkDecode(b *testing.B) {
	for _, k := range codectest.Kinds() {
		pages := k.Pages()
		var blocks [][]byte
		size, most := 0, 0
		for _, p := range pages {
			block := make([]byte, lz4.CompressBlockBound(len(p)))
			var c lz4.Compressor
			n, err := c.CompressBlock(p, block)
			if err != nil {
				b.Fatal(err)
			}
			blocks, size, most = append(blocks, block[:n]), size+len(p), max(most, len(p))
		}
		dst := make([]byte, most, most+Slack)
		for _, impl := range []struct {
			name   string
			decode func(dst, block []byte) (int, error)
		}{
			{"winnow", Decode},
			{"pierrec", func(dst, block []byte) (int, error) { return lz4.UncompressBlock(block, dst) }},
		} {
			b.Run("page="+k.Name+"/impl="+impl.name, func(b *testing.B) {
				b.SetBytes(int64(size / len(pages)))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := impl.decode(dst[:len(pages[i%len(pages)])], blocks[i%len(blocks)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
