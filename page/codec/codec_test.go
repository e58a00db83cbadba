package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

const spare = 64

// packing is one way to write a body, and the codec that reads it.
type packing struct {
	name string
	id   ID
	pack func(tb testing.TB, body []byte) []byte
}

var packings = []packing{
	{"uncompressed", Uncompressed, func(_ testing.TB, b []byte) []byte { return bytes.Clone(b) }},
	{"snappy", Snappy, func(_ testing.TB, b []byte) []byte { return snappy.Encode(nil, b) }},
	{"gzip", Gzip, packGzip},
	{"gzip-two-members", Gzip, func(tb testing.TB, b []byte) []byte {
		return append(packGzip(tb, b[:len(b)/3]), packGzip(tb, b[len(b)/3:])...)
	}},
	{"zstd", Zstd, func(tb testing.TB, b []byte) []byte { return packZstd(tb, b) }},
	{"zstd-checksum-off", Zstd, func(tb testing.TB, b []byte) []byte {
		return packZstd(tb, b, zstd.WithEncoderCRC(false))
	}},
	{"zstd-no-size", Zstd, packZstdStream},
	{"zstd-single-segment", Zstd, func(tb testing.TB, b []byte) []byte {
		return packZstd(tb, b, zstd.WithSingleSegment(true))
	}},
	{"zstd-frames", Zstd, func(tb testing.TB, b []byte) []byte {
		skippable := []byte{0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
		p := append(packZstd(tb, b[:len(b)/3]), skippable...)
		return append(p, packZstdStream(tb, b[len(b)/3:])...)
	}},
	{"brotli", Brotli, func(tb testing.TB, b []byte) []byte { return packBrotli(tb, b, 5) }},
	{"lz4-raw", LZ4Raw, packLZ4},
	{"lz4-as-raw", LZ4, packLZ4},
	{"lz4-hadoop", LZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 1<<30, 1<<30) }},
	{"lz4-hadoop-blocks", LZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 50_000, 1<<30) }},
	{"lz4-hadoop-parts", LZ4, func(tb testing.TB, b []byte) []byte { return packHadoop(tb, b, 50_000, 7_000) }},
	{"lz4-frame", LZ4, func(tb testing.TB, b []byte) []byte {
		var out bytes.Buffer
		w := lz4.NewWriter(&out)
		return written(tb, w, &out, b)
	}},
}

type writeCloser interface {
	Write([]byte) (int, error)
	Close() error
}

func written(tb testing.TB, w writeCloser, out *bytes.Buffer, body []byte) []byte {
	tb.Helper()
	if _, err := w.Write(body); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func packGzip(tb testing.TB, body []byte) []byte {
	var out bytes.Buffer
	return written(tb, gzip.NewWriter(&out), &out, body)
}

func packBrotli(tb testing.TB, body []byte, level int) []byte {
	var out bytes.Buffer
	return written(tb, brotli.NewWriterLevel(&out, level), &out, body)
}

func packZstd(tb testing.TB, body []byte, o ...zstd.EOption) []byte {
	tb.Helper()
	w, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))...)
	if err != nil {
		tb.Fatal(err)
	}
	return w.EncodeAll(body, nil)
}

func packZstdStream(tb testing.TB, body []byte) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		tb.Fatal(err)
	}
	// Two writes, so that the writer cannot know the size.
	if _, err := w.Write(body[:len(body)/2]); err != nil {
		tb.Fatal(err)
	}
	w.Flush()
	return written(tb, w, &out, body[len(body)/2:])
}

// packLZ4 writes a body that does not compress as literals: the library has no block for it.
func packLZ4(tb testing.TB, body []byte) []byte {
	tb.Helper()
	out := make([]byte, lz4.CompressBlockBound(len(body)))
	var c lz4.Compressor
	n, err := c.CompressBlock(body, out)
	if err != nil {
		tb.Fatal(err)
	}
	if n > 0 {
		return out[:n]
	}
	return lz4Literals(body)
}

func lz4Literals(body []byte) []byte {
	n := len(body)
	if n < 15 {
		return append([]byte{byte(n << 4)}, body...)
	}
	out := []byte{0xf0}
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), body...)
}

func packHadoop(tb testing.TB, body []byte, block, part int) []byte {
	var out []byte
	for first := true; len(body) > 0 || first; first = false {
		b := body[:min(block, len(body))]
		body = body[len(b):]
		out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
		for firstPart := true; len(b) > 0 || firstPart; firstPart = false {
			p := b[:min(part, len(b))]
			b = b[len(p):]
			packed := packLZ4(tb, p)
			out = binary.BigEndian.AppendUint32(out, uint32(len(packed)))
			out = append(out, packed...)
		}
	}
	return out
}

var words = strings.Fields(`carefully final deposits detect slyly again regular packages
	wake blithely among the furiously special ideas haggle quickly express requests`)

// text returns n bytes of words; ints n bytes of 8-byte numbers that grow
// unevenly; noise n bytes that do not compress.
func text(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(b, words[r.IntN(len(words))]...)
		b = append(b, ' ')
	}
	return b[:n]
}

func ints(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, 0, n+8)
	x := uint64(1 << 40)
	for len(b) < n {
		x += r.Uint64N(1000)
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b[:n]
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func bodies() map[string][]byte {
	return map[string][]byte{
		"empty":  {},
		"one":    {7},
		"short":  []byte("winnow"),
		"text":   text(1, 200_000),
		"ints":   ints(1, 100_001),
		"noise":  noise(1, 70_000),
		"zeros":  make([]byte, 3_000_000),
		"blocks": text(2, 1<<20),
	}
}

func codecOf(tb testing.TB, s *Set, id ID) Codec {
	tb.Helper()
	c, err := s.Codec(id)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func TestEveryPackingComesBack(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	for _, p := range packings {
		c := codecOf(t, set, p.id)
		for name, body := range bodies() {
			src := p.pack(t, body)
			for _, room := range []int{0, 10, len(body), len(body) + spare, 2*len(body) + 200} {
				got, err := c.Decode(make([]byte, room), src, len(body))
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
		src, dst := p.pack(t, body), make([]byte, len(body)+spare)
		got, err := codecOf(t, set, p.id).Decode(dst, src, len(body))
		if err != nil {
			t.Fatal(p.name, err)
		}
		if &got[0] != &dst[0] {
			t.Errorf("%s: a buffer of the caller's was passed over", p.name)
		}
	}
}

func TestWrongSizesAreErrors(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	for _, p := range packings {
		c := codecOf(t, set, p.id)
		for name, body := range bodies() {
			src := p.pack(t, body)
			for _, off := range []int{-len(body), -len(body) / 2, -70, -1, 1, 63, 64, 70, len(body), 1 << 30} {
				size := len(body) + off
				if size < 0 || off == 0 {
					continue
				}
				got, err := c.Decode(make([]byte, 1000), src, size)
				if !errors.Is(err, corrupt.Bad) {
					t.Errorf("%s of %s with size %+d: %d bytes, error %v", p.name, name, off, len(got), err)
				}
			}
		}
		if _, err := c.Decode(nil, p.pack(t, []byte("x")), -1); !errors.Is(err, corrupt.Bad) {
			t.Errorf("%s: size -1 gave %v", p.name, err)
		}
		if got, err := c.DecodePrefix(nil, p.pack(t, []byte("x")), 2, 1); string(got) != "x" || err != nil {
			t.Errorf("%s: need beyond size gave %q, %v", p.name, got, err)
		}
	}
}

func TestCutBodiesAreErrors(t *testing.T) {
	set := NewSet(Options{Spare: spare})
	body := text(3, 5_000)
	for _, p := range packings {
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		for n := 0; n < len(src); n += 1 + n/50 {
			if _, err := c.Decode(nil, src[:n], len(body)); !errors.Is(err, corrupt.Bad) {
				t.Errorf("%s cut to %d of %d bytes: %v", p.name, n, len(src), err)
			}
		}
		if _, err := c.Decode(nil, append(bytes.Clone(src), 1, 2, 3), len(body)); !errors.Is(err, corrupt.Bad) {
			t.Errorf("%s with three bytes too many: %v", p.name, err)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A claim alone costs next to nothing, whatever the codec.
func TestClaimsAreNotAllocated(t *testing.T) {
	const claim = 1 << 30
	for _, p := range packings {
		for name, body := range bodies() {
			c, src := codecOf(t, NewSet(Options{Spare: spare}), p.id), p.pack(t, body)
			var err error
			got := allocated(func() { _, err = c.Decode(nil, src, claim) })
			// ZSTD and LZ4 frames bring a decoder; then twice the growth by doubling.
			limit := uint64(10<<20 + 8*len(src) + 4*len(body))
			if err == nil || got > limit {
				t.Errorf("%s of %s: %d bytes allocated of at most %d for a body of %d, error %v", p.name, name, got, limit, len(src), err)
			}
		}
	}
}

func TestBombs(t *testing.T) {
	zeros := make([]byte, 256<<20)
	for _, p := range packings {
		switch p.name {
		case "gzip", "zstd", "zstd-no-size", "zstd-single-segment", "brotli", "lz4-raw", "lz4-frame":
		default:
			continue
		}
		src := p.pack(t, zeros)
		for _, size := range []int{100, 1 << 20} {
			c := codecOf(t, NewSet(Options{Spare: spare}), p.id)
			var err error
			got := allocated(func() { _, err = c.Decode(nil, src, size) })
			if err == nil || got > 10<<20+4*uint64(size)+8*uint64(len(src)) {
				t.Errorf("%s: %d bytes allocated for a declared size of %d and an input of %d, error %v", p.name, got, size, len(src), err)
			}
		}
	}
}

// A frame that claims a window or content of 1 GiB and holds one small block.
func TestZstdHeadersAreClaims(t *testing.T) {
	block := []byte{0x29, 0, 0, 'a', 'b', 'c', 'd', 'e'} // last, raw, 5 bytes
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	for _, tc := range []struct {
		name   string
		header []byte
		size   int
		ok     bool
	}{
		{"window of 1 GiB", []byte{0, 20 << 3}, 5, true},
		{"window of 3 TiB", []byte{0, 0xff}, 5, false},
		{"content of 1 GiB, single segment", []byte{0xa0, 0, 0, 0, 0x40}, 1 << 30, false},
		{"content of 1 GiB, size of 5", []byte{0xa0, 0, 0, 0, 0x40}, 5, false},
		{"content of 2^63", []byte{0xe0, 0, 0, 0, 0, 0, 0, 0, 0x80}, 5, false},
	} {
		src := bytes.Join([][]byte{magic, tc.header, block}, nil)
		for _, need := range []int{1, tc.size} {
			c := codecOf(t, NewSet(Options{}), Zstd)
			var err error
			got := allocated(func() { _, err = c.DecodePrefix(nil, src, need, tc.size) })
			if got > 2<<20 {
				t.Errorf("%s, need %d: %d bytes allocated", tc.name, need, got)
			}
			if need == tc.size && (err == nil) != tc.ok {
				t.Errorf("%s: error %v", tc.name, err)
			}
		}
	}
	// Many blocks that may become 128 KiB each and become nothing.
	src := bytes.Join([][]byte{magic, {0, 7 << 3}}, nil)
	for range 10_000 {
		src = append(src, 0x14, 0, 0, 0, 0) // compressed, two bytes: no literals, no sequences
	}
	src = append(src, 0x15, 0, 0, 0, 0)
	c := codecOf(t, NewSet(Options{}), Zstd)
	var err error
	if got := allocated(func() { _, err = c.Decode(nil, src, 1<<30) }); got > 16<<20 || err == nil {
		t.Errorf("empty blocks: %d bytes allocated, error %v", got, err)
	}
}

func TestUnknownCodecs(t *testing.T) {
	set := NewSet(Options{More: map[ID]Codec{40: uncompressed{}, Snappy: uncompressed{}}})
	for _, tc := range []struct {
		id   ID
		want string
	}{{LZO, "codec LZO is not supported"}, {8, "codec 8 is not supported"}, {-1, "codec -1 is not supported"}} {
		_, err := set.Codec(tc.id)
		if !errors.Is(err, corrupt.Unsupported) || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("codec %d: %v", tc.id, err)
		}
	}
	for _, id := range []ID{40, Snappy} {
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
	dst := make([]byte, len(body)+spare)
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
			case "brotli":
				most = 12 // context maps, see doc.go
			case "lz4-frame":
				most = 12
			}
			if n > most {
				t.Errorf("%s, first %d of %d bytes: %v allocations, at most %v are allowed", p.name, need, len(body), n, most)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for i, p := range packings {
		for _, n := range []int{0, 10, 300} {
			f.Add(uint8(i), p.pack(f, text(9, n)), uint32(n), uint32(n/2))
		}
	}
	set := NewSet(Options{Spare: spare})
	f.Fuzz(func(t *testing.T, which uint8, src []byte, size, need uint32) {
		id := packings[int(which)%len(packings)].id
		c := codecOf(t, set, id)
		n := int(size % (1 << 30))
		before := uint64(0)
		var whole, prefix []byte
		var err, prefixErr error
		before = allocated(func() { whole, err = c.Decode(nil, src, n) })
		// 24 MiB is BROTLI's window and tables; a kilobyte may become 1 MiB of GZIP.
		if before > 24<<20+5000*uint64(len(src)) {
			t.Fatalf("%v: %d bytes allocated for %d", id, before, len(src))
		}
		if err == nil && len(whole) != n {
			t.Fatalf("%v: %d bytes, %d are declared", id, len(whole), n)
		}
		first := int(uint64(need) % (uint64(n) + 1))
		prefix, prefixErr = c.DecodePrefix(nil, src, first, n)
		if err == nil && (prefixErr != nil || len(prefix) < first || !bytes.HasPrefix(whole, prefix)) {
			t.Fatalf("%v: first %d of %d bytes: %d bytes, error %v", id, first, n, len(prefix), prefixErr)
		}
	})
}

// pages returns 16 distinct bodies: a loop over one page measures how well the
// branch predictor learns it.
func pages(data string, n int) [][]byte {
	out := make([][]byte, 16)
	for i := range out {
		if data == "text" {
			out[i] = text(uint64(i), n)
		} else {
			out[i] = ints(uint64(i), n)
		}
	}
	return out
}

func BenchmarkDecode(b *testing.B) {
	set := NewSet(Options{Spare: spare})
	for _, name := range []string{"uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4-raw", "lz4-hadoop"} {
		for _, data := range []string{"text", "ints"} {
			b.Run(fmt.Sprintf("codec=%s/data=%s", name, data), func(b *testing.B) {
				benchmark(b, set, name, pages(data, 1<<20), 100)
			})
		}
	}
}

func BenchmarkDecodePrefix(b *testing.B) {
	set := NewSet(Options{Spare: spare})
	for _, name := range []string{"gzip", "zstd", "zstd-single-segment", "brotli"} {
		for _, percent := range []int{1, 10, 50, 100} {
			b.Run(fmt.Sprintf("codec=%s/data=text/need=%d%%", name, percent), func(b *testing.B) {
				benchmark(b, set, name, pages("text", 1<<20), percent)
			})
		}
	}
}

func benchmark(b *testing.B, set *Set, name string, bodies [][]byte, percent int) {
	var packed [][]byte
	var c Codec
	for _, p := range packings {
		if p.name == name {
			c = codecOf(b, set, p.id)
			for _, body := range bodies {
				packed = append(packed, p.pack(b, body))
			}
		}
	}
	size := len(bodies[0])
	need := size * percent / 100
	dst := make([]byte, size+spare)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := c.DecodePrefix(dst, packed[i%len(packed)], need, size); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
