package inflate

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata, whose input is hex:
//
//	member size=11   shows the parts of one member, and what it gives
//	body size=11     decodes a whole body
//	body size=11 need=5
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		body, size := c.Hex(t), c.Int(t, "size", 0)
		out := make([]byte, size)
		var d Decoder
		switch c.Cmd {
		case "member":
			return show(t, &d, body, out)
		case "body":
			decode := d.Decode
			if c.Has("need") {
				out, decode = out[:c.Int(t, "need", 0)], d.DecodePrefix
			}
			if err := decode(out, body); err != nil {
				return "error: " + err.Error()
			}
			return fmt.Sprintf("%q", out)
		}
		t.Fatalf("%s: unknown command", c.Place)
		return ""
	})
}

func show(t *testing.T, d *Decoder, body, out []byte) string {
	n, err := header(body)
	if err != nil {
		return "error: " + err.Error()
	}
	d.reset(out, body, true)
	d.read = n
	if err := d.blocks(); err != nil {
		return "error: " + err.Error()
	}
	dump := dtest.Bytes(t, body)
	dump.Next(3, "DEFLATE in GZIP")
	dump.Next(1, "flags")
	dump.Next(6, "not looked at")
	if n > 10 {
		dump.Next(n-10, "optional fields")
	}
	dump.Next(d.read-n, "blocks")
	if err := d.trailer(); err != nil {
		return "error: " + err.Error()
	}
	dump.Next(4, "CRC32")
	dump.Next(4, "length")
	return dump.String() + fmt.Sprintf("%q", out[:d.made])
}
