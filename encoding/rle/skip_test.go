package rle

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/dtest"
	"github.com/winnow-scan/winnow/internal/gen/encode"
)

// Many runs with headers of as many bytes, one byte of them perhaps wrong: what is
// stepped over is held to the headers, read one by one, and may not contain what
// is wrong.
func TestSkipAlike(t *testing.T) {
	edge := dtest.Edge(t, 1<<12)
	stepped := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 3))
		width, header := uint(r.IntN(33)), 1+r.IntN(2)
		var runs []encode.Run
		for range r.IntN(60) {
			length := 1 + r.IntN(63)
			if header == 2 {
				length = 64 + r.IntN(1<<13-64)
			}
			runs = append(runs, encode.Run{Repeat: length, Value: uint32(r.Uint64N(1 << width))})
		}
		body := dtest.Fence(r, edge, encode.HybridRuns(nil, int(width), runs), r.IntN(2)*encoding.Padding)
		if len(body) > 0 && r.IntN(2) == 0 {
			body[r.IntN(len(body))] = byte(r.Uint32())
		}
		left := r.IntN(64 * header * 40)
		for name, skip := range map[string]func(body []byte, at, left, header int, width uint) (int, int){
			"kernel": skipAlike, "Go": skipAlikeGo,
		} {
			next, still := skip(body, 0, left, header, width)
			at, values := 0, 0
			for at < next {
				count, packed, start := shortHeader(body, at)
				size := int(width+7) / 8
				if count == 0 || packed || start-at != header {
					t.Fatalf("%s, seed %d: stepped over what is wrong at %d", name, seed, at)
				}
				var value uint64
				for i := range size {
					value |= uint64(body[start+i]) << (8 * i)
				}
				if value>>width != 0 {
					t.Fatalf("%s, seed %d: stepped over value %x of more than %d bits at %d", name, seed, value, width, at)
				}
				at, values = start+size, values+count
			}
			if at != next || still < 0 || values != left-still {
				t.Fatalf("%s, seed %d, width %d: at %d with %d left, but %d with %d", name, seed, width, next, still, at, left-values)
			}
			stepped += next
		}
	}
	if stepped == 0 {
		t.Error("nothing was ever stepped over")
	}
}

// naiveRun returns how many values the run at the front of body has, and how many bytes, or that
// something is wrong with it.
func naiveRun(body []byte, width int) (count, bytes uint64, right bool) {
	header, size := binary.Uvarint(body)
	if size <= 0 || header>>1 == 0 {
		return 0, 0, false
	}
	if header&1 != 0 {
		count, bytes = header>>1*8, header>>1*uint64(width)+uint64(size)
		return count, bytes, bytes <= uint64(len(body))
	}
	value, wide := uint64(0), (width+7)/8
	if wide > len(body)-size {
		return 0, 0, false
	}
	for i := range wide {
		value |= uint64(body[size+i]) << (8 * i)
	}
	return header >> 1, uint64(size + wide), value>>width == 0
}

// Runs of all kinds, bytes of them perhaps wrong: what is stepped over is held to the runs, read
// one by one. Where they are short and right it has to get to the last.
func TestSkipMixed(t *testing.T) {
	stepped := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 4))
		width := 1 + r.IntN(32)
		packed := []int{1, 3, 63, 100}[r.IntN(4)]
		repeated := []int{7, 63, 300, 20000, 1 << 21}[r.IntN(5)]
		var runs []encode.Run
		total := 0
		for range r.IntN(120) {
			run := encode.Run{Repeat: 1 + r.IntN(repeated), Value: uint32(r.Uint64N(1 << width))}
			if r.IntN(3) == 0 {
				run = encode.Run{Packed: random(r, 8*(1+r.IntN(packed)), width)}
			}
			runs = append(runs, run)
			total += run.Repeat + len(run.Packed)
		}
		body := padded(t, r, encode.HybridRuns(nil, width, runs))
		wrong := r.IntN(2) == 0
		if wrong {
			for range min(len(body), 1+r.IntN(3)) {
				body[r.IntN(len(body))] = []byte{0, 1, 0x80, 0x81, 0xff, byte(r.Uint32())}[r.IntN(6)]
			}
		}
		left := r.IntN(total + 1)
		if r.IntN(2) == 0 {
			left = total
		}
		next, still := skipMixed(body, 0, left, uint(width))
		at, values := 0, uint64(0)
		for at < next {
			count, bytes, right := naiveRun(body[at:], width)
			if !right {
				t.Fatalf("seed %d, width %d: stepped over what is wrong at %d", seed, width, at)
			}
			at, values = at+int(bytes), values+count
		}
		if at != next || still < 0 || values != uint64(left-still) {
			t.Fatalf("seed %d, width %d: at %d with %d left, but %d with %d", seed, width, next, still, at, uint64(left)-values)
		}
		if hasSkipMixed && !wrong && left == total && packed <= 63 && packed*width < 190 && repeated <= 63 && next < len(body) {
			t.Fatalf("seed %d, width %d: stopped at %d of %d", seed, width, next, len(body))
		}
		stepped += next
	}
	if hasSkipMixed && stepped == 0 {
		t.Error("nothing was ever stepped over")
	}
}

// random returns n numbers of a width.
func random(r *rand.Rand, n, width int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(r.Uint64N(1 << width))
	}
	return v
}
