package vector

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// schoolbook turns a big-endian two's complement number into decimal digits,
// one byte and one digit at a time.
func schoolbook(b []byte) (digits string, negative bool) {
	b = bytes.Clone(b)
	if len(b) > 0 && b[0] >= 0x80 {
		negative = true
		carry := 1
		for i := len(b) - 1; i >= 0; i-- {
			v := int(b[i]^0xff) + carry
			b[i], carry = byte(v), v>>8
		}
		if carry != 0 {
			panic("minus zero")
		}
	}
	number := []int{0} // lowest digit first
	for _, c := range b {
		carry := int(c)
		for i := range number {
			v := number[i]*256 + carry
			number[i], carry = v%10, v/10
		}
		for ; carry > 0; carry /= 10 {
			number = append(number, carry%10)
		}
	}
	for i := len(number) - 1; i >= 0; i-- {
		digits += strconv.Itoa(number[i])
	}
	return digits, negative
}

func pointAt(digits string, scale int) string {
	if scale == 0 {
		return digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

func TestDecimalBytesAgainstSchoolbook(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check := func(b []byte, scale int32) {
		t.Helper()
		digits, negative := schoolbook(b)
		want := pointAt(digits, int(scale))
		if negative {
			want = "-" + want
		}
		got, err := appendText([]byte("=-"), decimalOf(ByteArray, 0, 9, scale), b)
		if err != nil || string(got) != "=-"+want {
			t.Fatalf("% x scale %d: %s, %v, want %s", b, scale, got, err, want)
		}
	}
	for n := range 60 {
		for _, fill := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			for _, first := range []byte{0, 1, 0x7f, 0x80, 0xff} {
				b := bytes.Repeat([]byte{fill}, n)
				if n > 0 {
					b[0] = first
				}
				for _, scale := range []int32{0, 1, 5, 18, 40} {
					check(b, scale)
				}
			}
		}
	}
	for range 3000 {
		b := make([]byte, r.IntN(300))
		if r.IntN(2) == 0 {
			b = b[:min(len(b), 17)]
		}
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		check(b, int32(r.IntN(50)))
	}
}

// 10^19 and its neighbours are where the parts of a 128-bit number meet.
func TestDecimalAtPartBordersAgainstBig(t *testing.T) {
	for exponent := range 39 {
		for delta := int64(-2); delta <= 2; delta++ {
			for _, sign := range []int64{1, -1} {
				v := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
				v.Add(v, big.NewInt(delta)).Mul(v, big.NewInt(sign))
				wrapped := new(big.Int).Set(v)
				if v.Sign() < 0 {
					wrapped.Add(v, new(big.Int).Lsh(big.NewInt(1), 128))
				}
				b := wrapped.FillBytes(make([]byte, 16))
				got, err := appendText(nil, decimalOf(FixedLenByteArray, 16, 38, 0), b)
				if err != nil || string(got) != v.String() {
					t.Fatalf("% x: %s, %v, want %s", b, got, err, v)
				}
			}
		}
	}
}

func TestDecimalOfAbsurdLength(t *testing.T) {
	long := bytes.Repeat([]byte{0x5a}, 16<<20)
	if _, err := appendText(nil, decimalOf(ByteArray, 0, 9, 2), long); !errors.Is(err, corrupt.Unsupported) {
		t.Errorf("16 MiB: %v", err)
	}
	if text, err := appendText(nil, decimalOf(ByteArray, 0, 9, 2), long[:maxDecimalBytes]); err != nil || len(text) < 2*maxDecimalBytes {
		t.Errorf("the longest has %d digits, %v", len(text), err)
	}
	// Sign bytes alone do not count.
	got, err := appendText(nil, decimalOf(ByteArray, 0, 9, 2), bytes.Repeat([]byte{0xff}, 16<<20))
	if err != nil || string(got) != "-0.01" {
		t.Errorf("minus one of 16 MiB: %s, %v", got, err)
	}
}
