package zstd

import (
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// BenchmarkDecode is for benchstat -col /impl.
func BenchmarkDecode(b *testing.B) {
	other, ours, slow := another(b), NewDecoder(), NewDecoder()
	slow.kernel = careful()
	for _, k := range codectest.Kinds() {
		var packed [][]byte
		var sizes []int
		most, all := 0, 0
		for _, p := range k.Pages() {
			packed = append(packed, pack(b, p, zstd.WithEncoderCRC(false))) // as most writers of pages
			sizes = append(sizes, len(p))
			most, all = max(most, len(p)), all+len(p)
		}
		dst := make([]byte, most+Slack)
		for _, impl := range []struct {
			name   string
			decode func(dst, src []byte) error
		}{
			{"winnow", ours.Decode},
			{"careful", slow.Decode},
			{"klauspost", func(dst, src []byte) error { _, err := other.DecodeAll(src, dst[:0]); return err }},
		} {
			b.Run("page="+k.Name+"/impl="+impl.name, func(b *testing.B) {
				b.SetBytes(int64(all / len(packed)))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					at := i % len(packed)
					if err := impl.decode(dst[:sizes[at]], packed[at]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
