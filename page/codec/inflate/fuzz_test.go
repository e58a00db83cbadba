package inflate

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// FuzzBlocks decodes any blocks with this package and with others, and compares.
func FuzzBlocks(f *testing.F) {
	r := rand.New(rand.NewPCG(10, 10))
	for n := range 30 {
		stream, out := randomStream(r, 1+n%4, 1+5*n)
		f.Add(stream, uint16(len(out)/2), uint16(17*n))
	}
	f.Fuzz(func(t *testing.T, stream []byte, need, spare uint16) {
		var d Decoder
		check(t, &d, stream, int(spare%500), int(need))
	})
}

// FuzzBody compares the same for any members, and that nothing that they are
// cut or claimed to be makes it panic.
func FuzzBody(f *testing.F) {
	for _, h := range headers {
		body, _ := withHeader(f, h)
		f.Add(body[:min(len(body), 2000)], uint16(11))
		f.Add(append(bytes.Clone(body), body...), uint16(22))
	}
	f.Add([]byte("\x1f\x8b\b80000000"), uint16(0)) // a name that is cut short
	f.Fuzz(func(t *testing.T, body []byte, size uint16) {
		var d Decoder
		checkBody(t, &d, body)
		dst, intact := guarded(int(size), 400)
		_ = d.Decode(dst, body)
		_ = d.DecodePrefix(dst, body)
		if !intact() {
			t.Fatalf("wrote beyond %d bytes", size)
		}
	})
}

// FuzzRoundTrip decodes what klauspost/compress makes of data at each level.
func FuzzRoundTrip(f *testing.F) {
	for i, k := range codectest.Kinds() {
		f.Add(k.Page(rand.New(rand.NewPCG(11, 11)))[:500], i, uint16(500))
	}
	f.Fuzz(func(t *testing.T, data []byte, level int, need uint16) {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.StatelessCompression+(level%13+13)%13)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var d Decoder
		dst, intact := guarded(len(data), 64)
		if err := d.Decode(dst, b.Bytes()); err != nil || !bytes.Equal(dst, data) || !intact() {
			t.Fatalf("%v, or it differs", err)
		}
		dst = dst[:min(int(need), len(dst))]
		if err := d.DecodePrefix(dst, b.Bytes()); err != nil || !bytes.Equal(dst, data[:len(dst)]) || !intact() {
			t.Fatalf("first %d bytes: %v, or they differ", len(dst), err)
		}
	})
}
