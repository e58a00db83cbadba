package rle

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The commands of testdata: each decodes the input, which is hex, and shows
// the bytes of its runs and the values, up to the first error.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		body, n := c.Hex(t), c.Int(t, "n", 0)
		var d Codes
		var err error
		var values func(n int) (string, error)
		switch c.Cmd {
		case "codes":
			err = d.Reset(body, uint(c.Int(t, "width", 0)), uint32(c.Int(t, "limit", math.MaxInt32)), n)
			values = func(n int) (string, error) { return next(d.Next, n) }
		case "indices":
			err = d.ResetIndices(body, uint32(c.Int(t, "limit", math.MaxInt32)), n)
			values = func(n int) (string, error) { return next(d.Next, n) }
		case "bools":
			var b Bools
			err = b.Reset(body, n)
			d = b.d
			values = func(n int) (string, error) { return next(decodetest.Bools{BitDecoder: &b}.Next, n) }
		case "levels":
			var l Levels
			err = l.Reset(body, uint8(c.Int(t, "max", 0)), n)
			d = l.d
			values = func(n int) (string, error) { return next(l.Next, n) }
		case "bit-packed-levels":
			var l Levels
			if err := l.ResetBitPacked(body, uint8(c.Int(t, "max", 0)), n); err != nil {
				return err.Error()
			}
			s, err := next(l.Next, n)
			return withError(s, err)
		default:
			t.Fatalf("%s: unknown command", c.Place)
		}
		if err != nil {
			return err.Error()
		}
		dump := dtest.Bytes(t, body)
		if d.next > 0 {
			dump.Next(d.next, "bit width")
		}
		for walk := d; ; {
			header := walk.next
			r, err := walk.NextRun(math.MaxInt)
			if err != nil {
				break
			}
			if r.Packed != nil || d.width == 0 && body[header]&1 != 0 {
				dump.Next(walk.start-header, "%d values, packed", r.N)
			} else {
				dump.Next(walk.start-header, "%d times", r.N)
			}
			if walk.next > walk.start {
				dump.Next(walk.next-walk.start, "values")
			}
		}
		if rest := len(body) - dump.At(); rest > 0 {
			dump.Next(rest, "no run of the page")
		}
		s, err := values(n)
		return dump.String() + withError(s, err)
	})
}

func next[T any](decode func([]T) (int, error), n int) (string, error) {
	dst := make([]T, n)
	n, err := decode(dst)
	return strings.Trim(fmt.Sprint(dst[:n]), "[]"), err
}

func withError(values string, err error) string {
	if err != nil {
		return values + "\nerror: " + err.Error()
	}
	return values
}
