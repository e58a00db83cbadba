package alp

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// example is the page of the package's comment, whose vector is the example of
// the format's own text.
func example() []byte {
	b, err := hex.DecodeString("00000a" + "04000000" + "04000000" +
		"0403" + "0100" + "070d000000000000" + "0f" + "91adc85628150000" + "0100" + "010000000000f87f")
	if err != nil {
		panic(err)
	}
	return b
}

// The format says of its example: exponent 4, factor 3, one exception, frame
// 3335, 15 bits, 11665 11665 21665 0, 31 bytes. The integers are packed by
// hand here.
func TestExample(t *testing.T) {
	body := example()
	packed := uint64(11665) | 11665<<15 | 21665<<30 | 0<<45
	if got := binary.LittleEndian.Uint64(body[24:]); got != packed || len(body) != 11+31 {
		t.Fatalf("packed are %x, want %x, in %d bytes", got, packed, len(body))
	}
	want := []float64{1500, math.Float64frombits(0x7ff8000000000001), 2500, 333.5}
	var d Numbers[float64]
	got := make([]float64, 4)
	if err := d.Reset(body, 4); err != nil {
		t.Fatal(err)
	}
	if n, err := d.Next(got); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	slow, err := naive.ALPFloat64s(body, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range want {
		if b := math.Float64bits(x); math.Float64bits(got[i]) != b || math.Float64bits(slow[i]) != b {
			t.Errorf("value %d: got %v, slowly %v, want %v", i, got[i], slow[i], x)
		}
	}
	a := encode.ALP{Fixed: true, Exponent: 4, Factor: 3}
	if again := a.Float64s(nil, want); string(again) != string(body) {
		t.Errorf("the encoder writes\n% x, want\n% x", again, body)
	}
}

// The format's example of frame and packing: 123 456 789 12 above 12 are 111 444
// 777 0 in 10 bits, 5 bytes.
func TestPackingExample(t *testing.T) {
	want := []float32{123, 456, 789, 12}
	body := encode.ALP{Fixed: true}.Float32s(nil, want)
	packed := uint64(111) | 444<<10 | 777<<20 | 0<<30
	h := body[11:]
	if h[0] != 0 || h[1] != 0 || binary.LittleEndian.Uint16(h[2:]) != 0 || binary.LittleEndian.Uint32(h[4:]) != 12 || h[8] != 10 ||
		len(h) != 9+5 || string(h[9:]) != string(binary.LittleEndian.AppendUint64(nil, packed)[:5]) {
		t.Errorf("the encoder writes % x", h)
	}
	var d Numbers[float32]
	got := make([]float32, 4)
	err := d.Reset(body, 4)
	if err == nil {
		_, err = d.Next(got)
	}
	if err != nil || [4]float32(got) != [4]float32(want) {
		t.Errorf("got %v, %v", got, err)
	}
}
