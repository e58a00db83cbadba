package alp

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"testing"

	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// arrow-rs has written these values, by a formula of internal/test/foreign/arrowrs.
func arrowRS() (doubles []float64, floats []float32) {
	state := uint64(88172645463325252)
	next := func() uint64 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return state
	}
	for i := range 3000 {
		if i%7 == 3 {
			continue // NULL
		}
		k := next()
		d, f := float64(i-2000)*1e15, float32(float32(i)*0.5)-1000
		if i < 1500 {
			d, f = float64((k>>8)%1000000)/100, float32((k>>8)%10000)/10
		}
		switch k % 50 {
		case 0:
			d, f = math.Float64frombits(0x7ff8000000000123), math.Float32frombits(0x7fc00123)
		case 1:
			d, f = math.Copysign(0, -1), float32(math.Copysign(0, -1))
		case 2:
			d = math.Float64frombits(next())
			f = math.Float32frombits(uint32(next()))
		}
		doubles, floats = append(doubles, d), append(floats, f)
	}
	return doubles, floats
}

func TestArrowRS(t *testing.T) {
	file, err := os.ReadFile("../../testdata/writers/arrow_rs_alp.parquet")
	if err != nil {
		t.Fatal(err)
	}
	end := len(file) - 8
	footer, err := thrift.ParseFooter(file[end-int(binary.LittleEndian.Uint32(file[end:])) : end])
	if err != nil {
		t.Fatal(err)
	}
	doubles, floats := arrowRS()
	testArrowRS(t, file, footer, 0, thrift.TypeDouble, doubles, math.Float64bits)
	testArrowRS(t, file, footer, 1, thrift.TypeFloat, floats, math.Float32bits)
}

func testArrowRS[T number, U comparable](t *testing.T, file []byte, footer *thrift.Footer, column int, kind thrift.Type, want []T, bitsOf func(T) U) {
	var c thrift.ColumnChunk
	if err := footer.Chunk(0, column, &c); err != nil {
		t.Fatal(err)
	}
	chunk := file[c.Meta.DataPageOffset:][:c.Meta.CompressedSize]
	var w page.Walker
	w.Reset(page.Chunk{Length: int64(len(chunk))})
	w.Supply(0, chunk)
	pages := 0
	for {
		p, _, err := w.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if p == nil {
			t.Fatal(err)
		}
		parts, _, err := page.Split(&p.Header, kind, 0, 1, chunk[p.BodyOffset():p.End()])
		if err != nil || p.Header.Encoding != thrift.EncodingALP {
			t.Fatalf("%v in %v", err, p.Header.Encoding)
		}
		var d Numbers[T]
		if err := d.Reset(parts.Values, int(p.Header.NumValues)); err != nil {
			t.Fatal(err)
		}
		got := make([]T, d.Count)
		if n, err := d.Next(got); err != nil || n > len(want) {
			t.Fatalf("%d values, %v", n, err)
		}
		for i, x := range got {
			if bitsOf(x) != bitsOf(want[i]) {
				t.Fatalf("column %d, page %d: value %d is %v, was %v", column, pages, i, x, want[i])
			}
		}
		want = want[len(got):]
		pages++
	}
	if len(want) > 0 || pages < 2 {
		t.Errorf("column %d: %d pages, and %d values are missing", column, pages, len(want))
	}
}
