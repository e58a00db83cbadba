package delta

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata: each decodes n values of the input, which is hex,
// and shows the bytes and the values, up to the first error. The argument any
// lets block sizes pass that the format forbids.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		body, n, anyBlock := c.Hex(t), c.Int(t, "n", 0), c.Has("any")
		dump := dtest.Bytes(t, body)
		switch c.Cmd {
		case "int32":
			return showInts[int32](dump, body, n, anyBlock)
		case "int64":
			return showInts[int64](dump, body, n, anyBlock)
		case "lengths":
			var d Strings
			if err := d.reset(body, 0, n, anyBlock); err != nil {
				return err.Error()
			}
			showSequence(dump, d.lengths.blocks, body, 0)
			dump.Next(len(body)-dump.At(), "values")
			v := make([]bits.View, n)
			n, err := d.Next(v)
			return dump.String() + showViews(v[:n], body, err)
		case "prefixes":
			var d Prefixed
			if err := d.reset(body, n, anyBlock); err != nil {
				return err.Error()
			}
			showSequence(dump, d.prefixes.blocks, body, 0)
			showSequence(dump, d.suffixes.lengths.blocks, body, dump.At())
			dump.Next(len(body)-dump.At(), "suffixes")
			v := make([]bits.View, n)
			n, arena, err := d.Next(v, nil)
			return dump.String() + showViews(v[:n], arena, err)
		}
		t.Fatalf("%s: unknown command", c.Place)
		return ""
	})
}

func showInts[T integer](dump *dtest.Dump, body []byte, n int, anyBlock bool) string {
	var d Ints[T]
	if err := d.reset(body, 0, n, anyBlock); err != nil {
		return err.Error()
	}
	showSequence(dump, d.blocks, body, 0)
	if rest := len(body) - dump.At(); rest > 0 {
		dump.Next(rest, "behind")
	}
	v := make([]T, n)
	n, err := d.Next(v)
	return dump.String() + withError(fmt.Sprint(v[:n]), err)
}

// showSequence accounts for the bytes of a sequence that starts at byte at,
// up to its first fault; b stands after the header.
func showSequence(dump *dtest.Dump, b blocks, body []byte, at int) {
	header := blocks{body: body, at: at}
	for _, name := range []string{"values a block: %d", "miniblocks a block: %d", "values: %d"} {
		from := header.at
		v, _ := header.uvarint()
		dump.Next(header.at-from, name, v)
	}
	if from := header.at; from < b.at {
		v, _ := header.varint()
		dump.Next(header.at-from, "first value: %d", v)
	}
	for b.toCome > 0 {
		start, fresh := b.at, len(b.widths) == 0
		if b.enter() != nil {
			return
		}
		if fresh {
			dump.Next(b.at-b.minis-start, "least difference: %d", b.least)
			dump.Next(b.minis, "widths")
		}
		if packed := b.take(b.inMini); len(packed) > 0 {
			dump.Next(len(packed), "%d bits each", b.width)
		}
	}
}

func showViews(v []bits.View, buffer []byte, err error) string {
	s := make([]string, len(v))
	views([][]byte{buffer}, v, s)
	return withError(fmt.Sprintf("%q", s), err)
}

func withError(values string, err error) string {
	if err != nil {
		return values + "\nerror: " + err.Error()
	}
	return values
}
