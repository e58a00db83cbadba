//go:build !race

package column

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Chunks of which nothing is compressed, whose bytes change while they are filtered and read:
// what is handed out is sound, and errors are about bad bytes.
func TestChunksWhileBytesChange(t *testing.T) {
	samples := 80
	if testing.Short() {
		samples = 20
	}
	// On a busy machine, or an emulated one, who changes the bytes may not come to it for long.
	ended, failed, most := 0, 0, 20*samples
	for seed := uint64(0); samples > 0 || (ended == 0 || failed == 0) && samples > -most; seed++ {
		s := must[*sample](t)(randomSample(rand.New(rand.NewPCG(seed, 64))))
		src, raw, err := s.file.source(0, 0, seed%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		if s.codec != thrift.CodecUncompressed || len(raw) == 0 {
			continue
		}
		samples--
		src.Unpacker = must[page.Unpacker](t)(page.Options{IgnoreCRC: true}.Unpacker(s.codec))
		t.Run(s.what, func(t *testing.T) {
			dtest.WhileChanging(t, raw, nil, func(r *rand.Rand, raw []byte) {
				err := abuse(r, s, src, raw)
				if err == nil {
					ended++
				} else if failed++; !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
					t.Errorf("an error of no kind: %v", err)
				}
			})
		})
	}
	if ended == 0 || failed == 0 {
		t.Errorf("%d times all was read, %d times an error came: nothing was shown", ended, failed)
	}
}
