package zstd

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// another returns a decoder that shares no code with ours.
func another(tb testing.TB) *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(math.MaxInt32),
		zstd.WithDecoderMaxMemory(math.MaxInt32), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(d.Close)
	return d
}

func pack(tb testing.TB, body []byte, o ...zstd.EOption) []byte {
	w, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))...)
	if err != nil {
		tb.Fatal(err)
	}
	return w.EncodeAll(body, nil)
}

// guarded returns n bytes with room for spare more, in front of and after
// which nothing may be written; intact tells.
func guarded(n, spare int) (b []byte, intact func() bool) {
	const guard = 96
	all := bytes.Repeat([]byte{0xa5}, guard+n+spare+guard)
	return all[guard : guard+n : guard+n+spare], func() bool {
		front, back := all[:guard], all[guard+n+spare:]
		return bytes.Count(front, []byte{0xa5}) == guard && bytes.Count(back, []byte{0xa5}) == guard
	}
}

type checker struct {
	ours  *Decoder
	other *zstd.Decoder
}

// check decodes src as n bytes with this package and with another, and compares.
func (c checker) check(t *testing.T, src []byte, n, spare int) (bad bool) {
	t.Helper()
	want, wantErr := c.other.DecodeAll(src, make([]byte, 0, n))
	if wantErr == nil && len(want) != n {
		wantErr = errors.New("another size")
	}
	for _, k := range kernels() {
		c.ours.kernel = k
		dst, intact := guarded(n, spare)
		err := c.ours.Decode(dst, bytes.Clone(src))
		if !intact() {
			t.Fatalf("%s: wrote beyond %d+%d bytes", k.name, n, spare)
		}
		if err != nil && !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
			t.Fatalf("%s: error %v", k.name, err)
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: %v, the other: %v\n%x", k.name, err, wantErr, src)
		}
		if err == nil && !bytes.Equal(dst, want) {
			t.Fatalf("%s: %d bytes differ", k.name, n)
		}
	}
	if wantErr != nil {
		return true
	}
	for _, need := range []int{0, min(1, n), n / 3, max(n-1, 0), n} {
		c.checkPrefix(t, src, want, need, spare)
	}
	return false
}

// checkPrefix decodes the first need bytes of src, which gives want.
func (c checker) checkPrefix(t *testing.T, src, want []byte, need, spare int) {
	t.Helper()
	for _, k := range kernels() {
		c.ours.kernel = k
		dst, intact := guarded(need, spare)
		if err := c.ours.DecodePrefix(dst, src); err != nil || !bytes.Equal(dst, want[:need]) || !intact() {
			t.Fatalf("%s: first %d of %d bytes: %v, or they differ", k.name, need, len(want), err)
		}
	}
}

func newChecker(tb testing.TB) checker { return checker{NewDecoder(), another(tb)} }

var levels = []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression}

func TestPages(t *testing.T) {
	c := newChecker(t)
	for _, k := range codectest.Kinds() {
		page := k.Page(rand.New(rand.NewPCG(6, 6)))
		for i, level := range levels {
			if testing.Short() && i%2 == 1 {
				continue
			}
			for _, n := range []int{len(page) >> i, 1000, 100, 10, 1, 0} {
				for _, o := range [][]zstd.EOption{
					{zstd.WithEncoderCRC(false)},
					{zstd.WithSingleSegment(true), zstd.WithWindowSize(1 << 10)},
					{zstd.WithWindowSize(1 << 12)},
					{zstd.WithNoEntropyCompression(true)},
					{zstd.WithAllLitEntropyCompression(true)},
				} {
					src := pack(t, page[:n], append(o, zstd.WithEncoderLevel(level))...)
					if c.check(t, src, n, Slack) || c.check(t, src, n, 0) {
						t.Fatalf("%s: refused", k.Name)
					}
				}
			}
		}
	}
}

func TestRandomDamage(t *testing.T) {
	c, r := newChecker(t), rand.New(rand.NewPCG(2, 2))
	rounds := dtest.Rounds(t, 60)
	for i := range rounds {
		k := codectest.Kinds()[i%len(codectest.Kinds())]
		page := k.Page(r)
		page = page[:r.IntN(min(1<<r.IntN(16), len(page)))]
		src := pack(t, page, zstd.WithEncoderLevel(levels[r.IntN(len(levels))]), zstd.WithEncoderCRC(false))
		for range 20 {
			bad := bytes.Clone(src)
			n := len(page)
			switch r.IntN(8) {
			case 0:
				n = max(n+r.IntN(200)-100, 0)
			case 1:
				bad = bad[:r.IntN(len(bad))]
			default:
				for range 1 + r.IntN(3) {
					bad[r.IntN(len(bad))] = byte(r.Uint32())
				}
			}
			c.check(t, bad, n, r.IntN(130))
		}
	}
}
