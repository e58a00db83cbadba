package plain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata: each decodes n values of the input, which is hex,
// and shows the bytes and the values, up to the first error.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		body, n := c.Hex(t), c.Int(t, "n", 0)
		dump := dtest.Bytes(t, body)
		var err error
		switch c.Cmd {
		case "int32":
			err = showNumbers[int32](dump, body, n)
		case "int64":
			err = showNumbers[int64](dump, body, n)
		case "float":
			err = showNumbers[float32](dump, body, n)
		case "double":
			err = showNumbers[float64](dump, body, n)
		case "boolean":
			var d Bools
			_ = d.Reset(body, n)
			v := make([]bool, n)
			n, err = decodetest.Bools{BitDecoder: &d}.Next(v)
			for i := range (n + 7) / 8 {
				dump.Next(1, "%v", v[i*8:min(i*8+8, n)])
			}
		case "fixed":
			var d Fixed
			size := c.Int(t, "size", 12)
			if err = d.Reset(body, n, size); err != nil {
				break
			}
			v := make([]byte, n*size)
			n, err = d.Next(v)
			for i := range n {
				dump.Next(size, "%q", v[i*size:][:size])
			}
		case "strings":
			var d Strings
			if err = d.Reset(body, n); err != nil {
				break
			}
			v := make([]bits.View, n)
			n, err = d.Next(v)
			for _, x := range v[:n] {
				dump.Next(4, "length %d", x.Len())
				dump.Next(x.Len(), "%q", x.Bytes([][]byte{body}))
			}
		default:
			t.Fatalf("%s: unknown command", c.Place)
		}
		if rest := len(body) - dump.At(); rest > 0 {
			dump.Next(rest, "no value")
		}
		if err != nil {
			dump.Note("error: %v", err)
		}
		return strings.TrimSpace(dump.String()) + "\n"
	})
}

func showNumbers[T encoding.Number](dump *dtest.Dump, body []byte, n int) error {
	var d Numbers[T]
	_ = d.Reset(body, n)
	v := make([]T, n)
	n, err := d.Next(v)
	for _, x := range v[:n] {
		dump.Next(encoding.SizeOf[T](), "%s", fmt.Sprint(x))
	}
	return err
}
