package naive

import (
	"fmt"
	"math"
	"testing"
)

// show makes results of all types comparable.
func show[T any](v []T, err error) string {
	if err != nil {
		return fmt.Sprint(v, " ", err)
	}
	return fmt.Sprint(v)
}

func sized[T any](v []T, size int, err error) string { return fmt.Sprint(size, " ", show(v, err)) }

// Bytes and values are written by hand from the format's text.
func TestByHand(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"bools", show(Bools([]byte{0x0d, 1}, 9)), "[true false true true false false false false true]"},
		{"bools, too few", show(Bools([]byte{0x0d}, 9)), "[true false true true false false false false] " + errShort.Error()},
		{"int32", show(Int32s([]byte{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}, 2)), "[1 -2]"},
		{"int64", show(Int64s([]byte{0, 1, 0, 0, 0, 0, 0, 0x80}, 1)), fmt.Sprint([]int64{math.MinInt64 + 256})},
		{"float", show(Float32s([]byte{0, 0, 0x80, 0x3f}, 1)), "[1]"},
		{"double", show(Float64s([]byte{0, 0, 0, 0, 0, 0, 0, 0xc0}, 1)), "[-2]"},
		{"fixed", show(FixedLenByteArrays([]byte("abcdef"), 2, 3)), fmt.Sprint([][]byte{[]byte("abc"), []byte("def")})},
		{"byte array", show(ByteArrays([]byte("\x02\x00\x00\x00ab\x00\x00\x00\x00"), 2)), "[[97 98] []]"},
		{"byte array, hostile length", show(ByteArrays([]byte("\xff\xff\xff\xffab"), 1)), "[] " + errShort.Error()},
		{"streams", show(ByteStreamSplit([]byte{0xaa, 0, 0xbb, 1, 0xcc, 2, 0xdd, 3}, 2, 4)), fmt.Sprint([]byte{0xaa, 0xbb, 0xcc, 0xdd, 0, 1, 2, 3})},
		{"MSB", show(BitPacked([]byte{0x05, 0x39, 0x77}, 3, 8, true)), "[0 1 2 3 4 5 6 7]"},
		{"LSB", show(BitPacked([]byte{0x88, 0xc6, 0xfa}, 3, 8, false)), "[0 1 2 3 4 5 6 7]"},
		{"hybrid", show(Hybrid([]byte{3, 0x88, 0xc6, 0xfa, 8, 5}, 3, 12)), "[0 1 2 3 4 5 6 7 5 5 5 5]"},
		{"hybrid, long header", show(Hybrid([]byte{0x90, 3}, 0, 3)), "[0 0 0]"},
		{"hybrid, cut group", show(Hybrid([]byte{3, 7, 8}, 8, 3)), "[7 8] " + errShort.Error()},
		{"hybrid, nothing", show(Hybrid([]byte{0, 1}, 1, 1)), "[] naive: run of no values"},
		{"hybrid, header of 33 bits", show(Hybrid([]byte{0x80, 0x80, 0x80, 0x80, 0x10, 1}, 1, 1)), "[] naive: ULEB128 number has too many bits"},
		{"hybrid, header of 6 bytes", show(Hybrid([]byte{0x82, 0x80, 0x80, 0x80, 0x80, 0, 1}, 1, 1)), "[] naive: ULEB128 number has too many bytes"},
		{"hybrid, wide value", show(Hybrid([]byte{2, 2}, 1, 1)), "[] naive: repeated value is wider than the bit width"},
		{"levels", show(Levels([]byte{6, 2}, 2, 3, false)), "[2 2 2]"},
		{"level above", show(Levels([]byte{6, 3}, 2, 3, false)), "[] naive: level is above the maximum"},
		{"levels, packed", show(Levels([]byte{0b00_01_10_01}, 2, 4, true)), "[0 1 2 1]"},
		{"delta 1", sized(DeltaInt64s([]byte{8, 1, 5, 2, 2, 0}, 5, true)), "6 [1 2 3 4 5]"},
		{"delta 2", sized(DeltaInt32s([]byte{8, 1, 8, 14, 3, 2, 0xc0, 0x3f, 99}, 8, true)), "8 [7 5 3 1 2 3 4 5]"},
		{"delta, block of 8", sized(DeltaInt64s([]byte{8, 1, 5, 2, 2, 0}, 5, false)), "3 [] naive: block size"},
		{"delta, wrap", sized(DeltaInt32s([]byte{8, 1, 2, 0xfe, 0xff, 0xff, 0xff, 0x0f, 2, 0}, 2, true)), "10 [2147483647 -2147483648]"},
		{"lengths", show(DeltaLengthByteArrays([]byte("\x08\x01\x02\x04\x01\x00abc"), 2, true)), "[[97 98] [99]]"},
		{"prefixes", show(DeltaByteArrays([]byte("\x08\x01\x02\x00\x04\x00\x08\x01\x02\x06\x03\x00abcd"), 2, 99, true)),
			"[[97 98 99] [97 98 100]]"},
		{"prefixes, limit", show(DeltaByteArrays([]byte("\x08\x01\x02\x00\x04\x00\x08\x01\x02\x06\x03\x00abcd"), 2, 5, true)),
			"[[97 98 99]] " + ErrLimit.Error()},
		{"first prefix", show(DeltaByteArrays([]byte("\x08\x01\x01\x02\x08\x01\x01\x02a"), 1, 99, true)),
			"[] naive: prefix is longer than the value before"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
}

func FuzzNeverPanics(f *testing.F) {
	f.Add([]byte{8, 1, 8, 14, 3, 2, 0xc0, 0x3f}, 3, 8)
	f.Add([]byte{0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0}, 0, 5)
	f.Fuzz(func(t *testing.T, body []byte, width, n int) {
		n &= 1<<12 - 1
		size := width & 31
		for name, count := range map[string]func() int{
			"hybrid":   func() int { v, _ := Hybrid(body, width, n); return len(v) },
			"plain":    func() int { v, _ := ByteArrays(body, n); return len(v) },
			"fixed":    func() int { v, _ := FixedLenByteArrays(body, n, size); return len(v) },
			"streams":  func() int { v, _ := ByteStreamSplit(body, n, size); return len(v) / max(1, size) },
			"delta":    func() int { v, _, _ := DeltaInt64s(body, n, width&1 == 0); return len(v) },
			"lengths":  func() int { v, _ := DeltaLengthByteArrays(body, n, width&1 == 0); return len(v) },
			"prefixes": func() int { v, _ := DeltaByteArrays(body, n, 1<<16, width&1 == 0); return len(v) },
			"levels":   func() int { v, _ := Levels(body, size, n, width&1 == 0); return len(v) },
		} {
			if got := count(); got > n {
				t.Errorf("%s: %d values, %d wanted", name, got, n)
			}
		}
	})
}
