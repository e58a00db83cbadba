package scanner

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

var errRefused = errors.New("refused by the host's codec")

type refusingCodec struct{}

func (refusingCodec) Decode(dst, _ []byte, _ int) ([]byte, error)          { return dst, errRefused }
func (refusingCodec) DecodePrefix(dst, _ []byte, _, _ int) ([]byte, error) { return dst, errRefused }

// Scans that share memory for reuse share decoders of compressed pages. Codecs of a host are used by
// its scan only.
func TestScansShareDecoders(t *testing.T) {
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("s", gen.Int64)},
		RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Codec: gen.Zstd, Data: &gen.Data{Values: make([]int64, 300)}}}}},
	})
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	scan := func(o Options) (allocated uint64, rows int, err error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for b, err := range f.Scan(context.Background(), o) {
			if err != nil {
				return 0, rows, err
			}
			rows += b.Len
			b.Release()
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, rows, nil
	}
	memory := &Resources{Reuse: 1 << 20}
	own := map[thrift.Codec]codec.Codec{thrift.CodecZstd: refusingCodec{}}
	first, rows, err := scan(Options{Resources: memory})
	if rows != 300 || err != nil {
		t.Fatal(rows, err)
	}
	if _, rows, err := scan(Options{Resources: memory, Codecs: own}); rows != 0 || !errors.Is(err, errRefused) {
		t.Errorf("a host's codec is not used: %d rows, %v", rows, err)
	}
	least := first
	for range 8 { // under the race detector, pools forget some of what they are given
		again, rows, err := scan(Options{Resources: memory})
		if rows != 300 || err != nil {
			t.Error(rows, err)
		}
		least = min(least, again)
	}
	if least > first/3 {
		t.Errorf("the first scan allocates %d bytes, later ones %d", first, least)
	}
}
