package thrift

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// mutate changes b in the ways that break readers: single bits and bytes,
// headers, lengths, missing and repeated parts.
func mutate(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			return b
		}
		i := r.IntN(len(b))
		j := i + r.IntN(min(len(b)-i, 40)+1)
		switch r.IntN(9) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte(r.Uint32())
		case 2: // another type for a field or list, or another number of elements
			b[i] = b[i]&0xf0 | byte(r.IntN(16))
		case 3:
			b[i] = b[i]&0x0f | byte(r.IntN(16))<<4
		case 4: // a varint of any length
			v := binary.AppendUvarint(nil, r.Uint64()>>r.IntN(64))
			b = slices.Concat(b[:i], v, b[i+1:])
		case 5:
			b = slices.Concat(b[:i], b[j:])
		case 6: // duplicated fields, longer lists
			b = slices.Concat(b[:j], b[i:j], b[j:])
		case 7:
			b = b[:i]
		case 8: // a field with its id in full, in any order
			head := append([]byte{byte(r.IntN(14))}, binary.AppendVarint(nil, int64(r.IntN(22)))...)
			b = slices.Concat(b[:i], head, b[i:])
		}
	}
	return b
}

func TestMutatedAgainstGeneratedCode(t *testing.T) {
	var headers [][]byte
	for _, h := range pageHeaders() {
		headers = append(headers, encode(t, h))
	}
	for name, of := range map[string]struct {
		seeds   [][]byte
		compare func(testing.TB, []byte)
		read    func([]byte) error
	}{
		"page header": {headers, func(tb testing.TB, b []byte) { comparePageHeader(tb, b) },
			func(b []byte) error { _, err := ReadPageHeader(b, &PageHeader{}); return err }},
		"column index": {[][]byte{encode(t, columnIndex(3)), encode(t, columnIndex(40))}, compareColumnIndex,
			func(b []byte) error { _, err := ReadColumnIndex(b, &ColumnIndex{}); return err }},
		"offset index": {[][]byte{encode(t, offsetIndex(2)), encode(t, offsetIndex(40))}, compareOffsetIndex,
			func(b []byte) error { _, err := ReadOffsetIndex(b, &OffsetIndex{}); return err }},
		"Bloom header": {[][]byte{encode(t, bloomFilterHeader())}, compareBloomFilterHeader,
			func(b []byte) error { _, err := ReadBloomFilterHeader(b, &BloomFilterHeader{}); return err }},
		"footer": {[][]byte{encode(t, wideFooter(2, 2)), encode(t, fullFooter())}, compareFooter,
			func(b []byte) error { _, err := readEverything(b); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			seed := uint64(1)
			r := rand.New(rand.NewPCG(seed, 0))
			accepted, n := 0, dtest.Rounds(t, 2000)
			var b []byte
			defer func() { // after a panic, too
				if p := recover(); p != nil || t.Failed() {
					t.Errorf("seed %d: % x: %v", seed, b, p)
				}
			}()
			for i := range n {
				b = mutate(r, of.seeds[i%len(of.seeds)])
				of.compare(t, b)
				if of.read(b) == nil {
					accepted++
				}
			}
			t.Logf("%d of %d accepted", accepted, n)
			if accepted < n/50 || accepted > n*9/10 {
				t.Error("the mutations are too harsh or too soft")
			}
		})
	}
}

// Memory for the lists of hostile input stays in proportion to the input: the
// worst are empty binaries and column orders, which are valid and small.
func TestMemoryFollowsTheInput(t *testing.T) {
	if raceDetector {
		t.Skip("the detector makes slices.Grow allocate twice")
	}
	big := func(b []byte, tail int) []byte { return append(b, make([]byte, tail)...) }
	const tail = 1 << 20
	long := []byte{0xff, 0xff, 0x3f} // 2^20 - 1 elements
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x07}
	for name, b := range map[string][]byte{
		"null_pages":     big(append([]byte{0x19, 0xf1}, long...), tail),
		"min_values":     big(append([]byte{0x29, 0xf8}, long...), tail),
		"counts":         big(append([]byte{0x59, 0xf6}, long...), tail),
		"locations":      big(append([]byte{0x19, 0xfc}, long...), tail),
		"huge locations": big(append([]byte{0x19, 0xfc}, huge...), tail),
		"schema":         big(append([]byte{0x29, 0xfc}, long...), tail),
		"row groups":     big(append([]byte{0x49, 0xfc}, long...), tail),
		"column orders":  big(append([]byte{0x79, 0xfc}, long...), tail),
		"huge":           big(append([]byte{0x29, 0xf8}, huge...), tail),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ReadColumnIndex(b, &ColumnIndex{})
		ReadOffsetIndex(b, &OffsetIndex{})
		readEverything(b)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 30*uint64(len(b)) {
			t.Errorf("%s: %d bytes allocated for %d", name, got, len(b))
		}
	}
}
