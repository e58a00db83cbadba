package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/zstd"
	"github.com/winnow-scan/winnow/thrift"
)

func TestEveryPackingComesBack(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	for _, p := range packings {
		c := codecOf(t, set, p.id)
		for name, body := range bodies() {
			src := p.pack(t, body)
			for _, room := range []int{0, 10, len(body), len(body) + spare, 2*len(body) + 200} {
				got, err := c.Decode(make([]byte, 0, room), src, len(body))
				if err != nil {
					t.Fatalf("%s of %s into %d bytes: %v", p.name, name, room, err)
				}
				if !bytes.Equal(got, body) {
					t.Fatalf("%s of %s into %d bytes: %d bytes differ", p.name, name, room, len(got))
				}
				if cap(got)-len(got) < spare {
					t.Fatalf("%s of %s into %d bytes: %d spare bytes", p.name, name, room, cap(got)-len(got))
				}
			}
			for _, need := range []int{0, 1, len(body) / 10, len(body) / 2, len(body)} {
				need = min(need, len(body))
				got, err := c.DecodePrefix(nil, src, need, len(body))
				if err != nil {
					t.Fatalf("first %d bytes of %s of %s: %v", need, p.name, name, err)
				}
				if len(got) < need || !bytes.HasPrefix(body, got) || cap(got)-len(got) < spare {
					t.Fatalf("first %d bytes of %s of %s: %d bytes, capacity %d", need, p.name, name, len(got), cap(got))
				}
			}
		}
	}
}

func TestBuffersAreUsed(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	body := text(1, 100_000)
	for _, p := range packings {
		for _, need := range []int{len(body) / 2, len(body)} {
			if p.id == thrift.CodecZstd && need < len(body) && !zstd.HasKernels() {
				continue // a library decodes the whole
			}
			src, dst := p.pack(t, body), make([]byte, 1, 1+need+spare)
			got, err := codecOf(t, set, p.id).DecodePrefix(dst, src, need, len(body))
			if err != nil {
				t.Fatal(p.name, err)
			}
			if !bytes.Equal(got[1:], body[:need]) {
				t.Errorf("%s, first %d: appended %d bytes that differ", p.name, need, len(got)-1)
			}
			if &got[0] != &dst[0] {
				t.Errorf("%s, first %d: a buffer of the caller's was passed over", p.name, need)
			}
		}
	}
}

// What stands in dst stays, whether it has to move or not.
func TestBodiesAreAppended(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	body := text(1, 300_000)
	for _, p := range packings {
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		for _, room := range []int{0, 1000, 100_000, len(body) + spare} {
			for _, need := range []int{len(body) / 2, len(body)} {
				dst := append(make([]byte, 0, 6+room), "levels"...)
				got, err := c.DecodePrefix(dst, src, need, len(body))
				if err != nil || !bytes.HasPrefix(got, dst) || !bytes.HasPrefix(body, got[6:]) || len(got) < 6+need || cap(got)-len(got) < spare {
					t.Errorf("%s, first %d with room for %d: %d bytes, %v", p.name, need, room, len(got), err)
				}
			}
		}
	}
}

func TestUnknownCodecs(t *testing.T) {
	set := NewSet(Options{More: map[thrift.Codec]Codec{40: newUncompressed(memory{}), thrift.CodecSnappy: newUncompressed(memory{})}})
	unknown := thrift.Codec(len(set.known))
	for _, tc := range []struct {
		id   thrift.Codec
		want string
	}{{thrift.CodecLZO, "codec LZO is not supported"}, {unknown, fmt.Sprint("codec ", int(unknown), " is not supported")}, {-1, "codec -1 is not supported"}} {
		_, err := set.Codec(tc.id)
		if !errors.Is(err, corrupt.Unsupported) || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("codec %d: %v", tc.id, err)
		}
	}
	for _, id := range []thrift.Codec{40, thrift.CodecSnappy} {
		got, err := codecOf(t, set, id).Decode(nil, []byte("abc"), 3)
		if string(got) != "abc" || err != nil {
			t.Errorf("a codec of one's own as %v: %q, %v", id, got, err)
		}
	}
}

func TestSetsAreSharedByGoroutines(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			body := text(uint64(g), 30_000+g*1000)
			for _, p := range packings {
				src := p.pack(t, body)
				c, err := set.Codec(p.id)
				if err != nil {
					t.Error(err)
					return
				}
				for need := 1; need <= len(body); need += len(body) / 7 {
					got, err := c.DecodePrefix(nil, src, need, len(body))
					if err != nil || len(got) < need || !bytes.HasPrefix(body, got) {
						t.Errorf("%s, first %d: %d bytes, %v", p.name, need, len(got), err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// A failed body must not spoil the decoder for the next.
func TestDecodersSurviveFailure(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	body := text(5, 40_000)
	for _, p := range packings {
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		for i := range 200 {
			bad := bytes.Clone(src)
			bad[(i*7919)%len(bad)] ^= byte(1 + i)
			c.Decode(nil, bad, len(body))
			c.DecodePrefix(nil, bad, len(body)/2, len(body))
			got, err := c.Decode(nil, src, len(body))
			if err != nil || !bytes.Equal(got, body) {
				t.Fatalf("%s after failure %d: %d bytes, %v", p.name, i, len(got), err)
			}
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	if raceOn {
		t.Skip("under the race detector sync.Pool drops at random")
	}
	set := NewSet(Options{Spare: spare})
	body := text(4, 300_000)
	dst := make([]byte, 0, len(body)+spare)
	for _, p := range packings {
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		for _, need := range []int{len(body) / 10, len(body)} {
			n := testing.AllocsPerRun(20, func() {
				if _, err := c.DecodePrefix(dst, src, need, len(body)); err != nil {
					t.Fatal(p.name, err)
				}
			})
			most := 0.0
			switch p.name {
			case "lz4-frame":
				most = 12
			}
			if n > most {
				t.Errorf("%s, first %d of %d bytes: %v allocations, at most %v are allowed", p.name, need, len(body), n, most)
			}
		}
	}
}

// Codecs whose DecodePrefix stops early do not notice faults after that.
func TestPrefixesStop(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	body := text(8, 300_000)
	for _, p := range packings {
		switch p.name {
		case "snappy", "gzip", "zstd", "brotli", "lz4-raw":
		default:
			continue
		}
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		if p.id == thrift.CodecZstd {
			src[len(src)-1] ^= 1 // of the checksum: block headers are walked through to the end
		} else {
			clear(src[len(src)*3/4:])
		}
		if got, err := c.DecodePrefix(nil, src, len(body)/10, len(body)); err != nil || !bytes.HasPrefix(body, got) || len(got) < len(body)/10 {
			t.Errorf("%s: %d bytes, %v", p.name, len(got), err)
		} else if cap(got) > len(body)*3/4 {
			t.Errorf("%s: memory for %d of %d bytes", p.name, cap(got), len(body)/10)
		}
		if _, err := c.Decode(nil, src, len(body)); err == nil {
			t.Errorf("%s: the whole is taken, though its end is missing", p.name)
		}
	}
}
