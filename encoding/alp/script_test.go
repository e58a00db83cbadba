package alp

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata: each decodes n values of the input, which is hex,
// and shows the bytes and the values, up to the first error.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		switch c.Cmd {
		case "float":
			return show[float32](t, c)
		case "double":
			return show[float64](t, c)
		}
		t.Fatalf("%s: unknown command", c.Place)
		return ""
	})
}

func show[T number](t *testing.T, c *dtest.Case) string {
	body, n := c.Hex(t), c.Int(t, "n", 0)
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		return err.Error()
	}
	dump := dtest.Bytes(t, body)
	if len(body) > 0 {
		dump.Next(2, "ALP, packed above a frame")
		dump.Next(1, "vectors of %d values", 1<<d.log)
		dump.Next(4, "values: %d", d.Count)
	}
	for k := range d.vectors {
		dump.Next(4, "vector %d at byte %d", k, headerSize+int(d.offset(k)))
	}
	for k := 0; k < d.vectors && d.enter(k) == nil; k++ {
		v := &d.vector
		dump.Next(2, "times 10^%d, times 10^-%d", v.factor, v.exponent)
		dump.Next(2, "exceptions: %d", len(v.positions)/2)
		if encoding.SizeOf[T]() == 4 {
			dump.Next(4, "frame: %d", int32(uint32(v.frame)))
		} else {
			dump.Next(8, "frame: %d", int64(v.frame))
		}
		dump.Next(1, "%d bits each", v.width)
		if len(v.packed) > 0 {
			dump.Next(len(v.packed), "integers above the frame")
		}
		for i := range len(v.positions) / 2 {
			dump.Next(2, "exception at %d", v.position(i))
		}
		for i := range len(v.positions) / 2 {
			dump.Next(encoding.SizeOf[T](), "is %v", exception[T](v, i))
		}
	}
	if rest := len(body) - dump.At(); rest > 0 {
		dump.Next(rest, "not looked at")
	}
	values := make([]T, n)
	n, err := d.Next(values)
	text := dump.String() + fmt.Sprint(values[:n])
	if err != nil {
		text += "\nerror: " + err.Error()
	}
	return text
}
