package bss

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata: each decodes n values of the input, which is hex,
// and shows the streams and the values, up to the first error.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		body, n := c.Hex(t), c.Int(t, "n", 0)
		switch c.Cmd {
		case "uint32":
			return show[uint32](t, body, n)
		case "double":
			return show[float64](t, body, n)
		case "fixed":
			size := c.Int(t, "size", 0)
			var d Fixed
			if err := d.Reset(body, n, size); err != nil {
				return err.Error()
			}
			v := make([]byte, n*size)
			n, err := d.Next(v)
			return dump(t, body, size) + withError(fmt.Sprintf("% x", v[:n*size]), err)
		}
		t.Fatalf("%s: unknown command", c.Place)
		return ""
	})
}

func show[T encoding.Number](t *testing.T, body []byte, n int) string {
	var d Numbers[T]
	if err := d.Reset(body, n); err != nil {
		return err.Error()
	}
	v := make([]T, n)
	n, err := d.Next(v)
	if encoding.SizeOf[T]() == 4 {
		return dump(t, body, 4) + withError(fmt.Sprintf("%08x", v[:n]), err)
	}
	return dump(t, body, 8) + withError(fmt.Sprint(v[:n]), err)
}

func dump(t *testing.T, body []byte, size int) string {
	d := dtest.Bytes(t, body)
	for k := range size {
		d.Next(len(body)/size, "stream %d", k)
	}
	return d.String()
}

func withError(s string, err error) string {
	if err != nil {
		s += "\nerror: " + err.Error()
	}
	return s
}
