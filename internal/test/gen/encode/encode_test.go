package encode

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

func bytesOf(s ...string) [][]byte {
	v := make([][]byte, len(s))
	for i := range s {
		v[i] = []byte(s[i])
	}
	return v
}

// The bytes are written by hand from the spec's text and examples.
func TestBytes(t *testing.T) {
	oneToFive := []int64{1, 2, 3, 4, 5}
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"bools", Bools(nil, []bool{true, false, true, true, false, false, false, false, true}), "0d 01"},
		{"int32", Numbers(nil, []int32{1, -2}), "01000000 feffffff"},
		{"int64", Numbers(nil, []int64{-2}), "feffffffffffffff"},
		{"int96", Numbers(nil, [][12]byte{{1, 2, 11: 12}}), "010200000000000000 00000c"},
		{"float", Numbers(nil, []float32{1}), "0000803f"},
		{"double", Numbers(nil, []float64{-2}), "00000000000000c0"},
		{"byte array", ByteArrays(nil, bytesOf("ab", "")), "02000000 6162 00000000"},
		{"fixed", FixedLenByteArrays(nil, bytesOf("ab", "cd")), "61626364"},
		{"byte stream split of the spec", ByteStreamSplit(nil, unhex(t, "aabbccdd 00112233 a3b4c5d6"), 4),
			"aa00a3 bb11b4 cc22c5 dd33d6"},
		{"MSB first of the spec", BitPackedMSB(nil, 3, []uint32{0, 1, 2, 3, 4, 5, 6, 7}), "053977"},
		{"LSB first of the spec", BitPackedLSB(nil, 3, []uint32{0, 1, 2, 3, 4, 5, 6, 7}), "88c6fa"},
		{"hybrid, packed group", Hybrid(nil, 3, []uint32{0, 1, 2, 3, 4, 5, 6, 7}), "03 88c6fa"},
		{"hybrid, a run of 10 and a short group", Hybrid(nil, 9, append(repeat(300, 10), 1)),
			"14 2c01 03 010000000000000000"},
		{"hybrid, width 0", Hybrid(nil, 0, repeat(0, 200)), "9003"},
		{"hybrid, last group cut", HybridRuns(nil, 8, []Run{{Packed: []uint32{7, 8}, Cut: 6}}), "03 0708"},
		{"hybrid, run of nothing", HybridRuns(nil, 1, []Run{{}}), "00 00"},
		{"delta example 1", Delta{BlockSize: 8}.Int64s(nil, oneToFive), "08 01 05 02 02 00"},
		{"delta example 2", Delta{BlockSize: 8}.Int32s(nil, []int32{7, 5, 3, 1, 2, 3, 4, 5}), "08 01 08 0e 03 02 c03f"},
		{"delta, padding of ones", Delta{BlockSize: 8, Padding: true}.Int32s(nil, []int32{7, 5, 3, 1, 2, 3, 4, 5}),
			"08 01 08 0e 03 02 c0ff"},
		{"delta, unneeded widths", Delta{UnneededWidth: 9}.Int64s(nil, oneToFive), "8001 04 05 02 02 00090909"},
		{"delta, nothing", Delta{}.Int64s(nil, nil), "8001 04 00 00"},
		{"delta, wraps at 32 bits", Delta{}.Int32s(nil, []int32{math.MaxInt32, math.MinInt32}),
			"8001 04 02 feffffff0f 02 00000000"},
		{"lengths", Delta{BlockSize: 8}.LengthByteArrays(nil, bytesOf("Hello", "World", "Foobar", "ABCDEF")),
			"08 01 04 0a 00 01 02" + hex.EncodeToString([]byte("HelloWorldFoobarABCDEF"))},
		{"prefixes", Delta{BlockSize: 8}.ByteArrays(nil, bytesOf("axis", "axle", "babble", "babyhood")),
			hex.EncodeToString(prefixExample)},
	} {
		want := unhex(t, c.want)
		if string(c.got) != string(want) {
			t.Errorf("%s: got %x, want %x", c.name, c.got, want)
		}
	}
}

// prefixExample is "axis", "axle", "babble", "babyhood": prefix lengths
// 0 2 0 3 (deltas 2 −2 3, minimum −2: 4 0 5), suffix lengths 4 2 6 5 (deltas
// −2 4 −1, minimum −2: 0 6 1), suffixes.
var prefixExample = append([]byte{
	8, 1, 4, 0, 3, 3, 4 | 0<<3 | 5<<6&0xff, 5 >> 2, 0,
	8, 1, 4, 8, 3, 3, 0 | 6<<3 | 1<<6, 0, 0,
}, "axislebabbleyhood"...)

func unhex(t *testing.T, s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func repeat(x uint32, n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = x
	}
	return v
}
