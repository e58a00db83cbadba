package snappy

import (
	"strconv"
	"testing"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/s2"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// impls are decoders of whole blocks, ours and others.
var impls = []struct {
	name   string
	decode func(dst, block []byte) error
}{
	{"winnow", func(dst, block []byte) error { return ours(dst, block, pick) }},
	{"winnow-go", func(dst, block []byte) error { return ours(dst, block, only(fastGo)) }},
	{"golang", func(dst, block []byte) error { _, err := snappy.Decode(dst, block); return err }},
	{"s2", func(dst, block []byte) error { _, err := s2.Decode(dst, block); return err }},
}

func ours(dst, block []byte, pick func([]byte) loop) error {
	_, tags, err := Header(block)
	if err != nil {
		return err
	}
	return decode(dst, block[tags:], true, pick)
}

// BenchmarkDecode is for benchstat -col /impl.
func BenchmarkDecode(b *testing.B) {
	for _, k := range codectest.Kinds() {
		var blocks [][]byte
		size, most := 0, 0
		for _, p := range k.Pages() {
			blocks = append(blocks, snappy.Encode(nil, p))
			size, most = size+len(p), max(most, len(p))
		}
		dst := make([]byte, most+Slack)
		for _, impl := range impls {
			b.Run("page="+k.Name+"/impl="+impl.name, func(b *testing.B) {
				b.SetBytes(int64(size / len(blocks)))
				b.ReportAllocs()
				start, bytes := processorTime(), 0
				for i := 0; b.Loop(); i++ {
					block := blocks[i%len(blocks)]
					n, _, _ := Header(block)
					if err := impl.decode(dst[:n], block); err != nil {
						b.Fatal(err)
					}
					bytes += int(n)
				}
				if used := processorTime() - start; used > 0 { // on a busy machine, the better figure
					b.ReportMetric(float64(bytes)/1e6/used.Seconds(), "cpu-MB/s")
				}
			})
		}
	}
}

func BenchmarkDecodePrefix(b *testing.B) {
	pages := codectest.Kinds()[0].Pages()
	var tags [][]byte
	for _, p := range pages {
		block := snappy.Encode(nil, p)
		_, n, _ := Header(block)
		tags = append(tags, block[n:])
	}
	for _, percent := range []int{1, 10, 50} {
		b.Run("page="+codectest.Kinds()[0].Name+"/need="+strconv.Itoa(percent)+"%", func(b *testing.B) {
			dst := make([]byte, len(pages[0])*percent/100+Slack)
			b.SetBytes(int64(len(dst) - Slack))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := DecodePrefix(dst[:len(dst)-Slack], tags[i%len(tags)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
