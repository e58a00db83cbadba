package codec

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

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
				got, err := c.Decode(make([]byte, 0, 1000), src, size)
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
	zeros := make([]byte, 64<<20)
	for _, p := range packings {
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

// Sizes that the codec could reach, but these bodies do not.
func TestClaimsWithinReachAreProven(t *testing.T) {
	body := noise(5, 70_000)
	for _, p := range packings {
		src := p.pack(t, body)
		c := codecOf(t, NewSet(Options{Spare: spare}), p.id)
		for _, size := range []int{2 << 20, 16 << 20, 60 << 20} {
			for _, need := range []int{size - 1, size} {
				var err error
				got := allocated(func() { _, err = c.DecodePrefix(nil, src, need, size) })
				limit := uint64(trust*len(src) + firstStep + 1<<20)
				if p.id == thrift.CodecZstd || p.name == "lz4-frame" {
					limit += 9 << 20 // the decoder
				}
				if !errors.Is(err, corrupt.Bad) || got > limit {
					t.Errorf("%s: first %d of %d bytes: %d bytes allocated, error %v", p.name, need, size, got, err)
				}
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
			c := codecOf(t, NewSet(Options{}), thrift.CodecZstd)
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
	c := codecOf(t, NewSet(Options{}), thrift.CodecZstd)
	var err error
	if got := allocated(func() { _, err = c.Decode(nil, src, 1<<30) }); got > 16<<20 || err == nil {
		t.Errorf("empty blocks: %d bytes allocated, error %v", got, err)
	}
}

// Bodies of a declared size of 0 meet a nil buffer, which libraries may not expect.
func TestNothingDeclared(t *testing.T) {
	set := NewSet(Options{})
	body := text(6, 200)
	for _, p := range packings {
		c, src := codecOf(t, set, p.id), p.pack(t, body)
		for i := range 200 {
			bad := bytes.Clone(src)
			bad[i%len(bad)] = byte(i / 7)
			for _, size := range []int{0, 1} {
				got, err := c.Decode(nil, bad, size)
				if err == nil && len(got) != size {
					t.Fatalf("%s: %d bytes, %d are declared", p.name, len(got), size)
				}
			}
		}
		if got, err := c.Decode(nil, p.pack(t, nil), 0); err != nil || len(got) != 0 {
			t.Errorf("%s of nothing: %d bytes, %v", p.name, len(got), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for i, p := range packings {
		for _, n := range []int{0, 10, 300} {
			f.Add(uint8(i), p.pack(f, text(9, n)), uint32(n), uint32(n/2))
		}
	}
	sets := []*Set{NewSet(Options{Spare: spare}), NewSet(Options{})}
	f.Fuzz(func(t *testing.T, which uint8, src []byte, size, need uint32) {
		id := packings[int(which)%len(packings)].id
		c := codecOf(t, sets[which>>7], id)
		n := int(size % (1 << 30))
		before := uint64(0)
		var whole, prefix []byte
		var err, prefixErr error
		before = allocated(func() { whole, err = c.Decode(nil, src, n) })
		// 24 MiB is BROTLI's output and tables; a kilobyte may become 1 MiB of GZIP.
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
