package inflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// member frames a stream that gives out.
func member(stream, out []byte) []byte {
	b := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}, stream...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(out))
	return binary.LittleEndian.AppendUint32(b, uint32(len(out)))
}

// withHeader returns a member with fields in its header, and its output.
func withHeader(t testing.TB, h gzip.Header) (body, out []byte) {
	t.Helper()
	out = []byte("abcabcabcab")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Header = h
	if _, err := w.Write(out); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), out
}

// withSum adds the checksum of the first n bytes, which are a header, to it.
func withSum(body []byte, n int) []byte {
	head := bytes.Clone(body[:n])
	head[3] |= hasHeaderSum
	head = binary.LittleEndian.AppendUint16(head, uint16(crc32.ChecksumIEEE(head)))
	return append(head, body[n:]...)
}

// read is what klauspost/compress and Go make of a body.
func read(t testing.TB, body []byte) ([]byte, error) {
	t.Helper()
	all := func(r io.Reader, err error) ([]byte, error) {
		if err == io.EOF {
			return nil, nil // no members
		}
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, mostOut+1))
	}
	var a gzip.Reader
	var b stdgzip.Reader
	got, err := all(&a, a.Reset(bytes.NewReader(body)))
	std, stdErr := all(&b, b.Reset(bytes.NewReader(body)))
	switch {
	case err == nil && stdErr == io.ErrUnexpectedEOF: // klauspost/compress sees an end in names that are cut short
		return got, stdErr
	case err == gzip.ErrHeader && stdErr == nil: // Go does not look at flags that mean nothing
	case (err == nil) != (stdErr == nil) || err == nil && !bytes.Equal(got, std):
		t.Fatalf("klauspost %d bytes, %v; Go %d bytes, %v", len(got), err, len(std), stdErr)
	}
	return got, err
}

// checkBody decodes a body with this package and with others, and compares.
func checkBody(t testing.TB, d *Decoder, body []byte) {
	t.Helper()
	want, wantErr := read(t, body)
	if len(want) > mostOut {
		return
	}
	dst, intact := guarded(len(want), 64)
	err := d.Decode(dst, body)
	if !intact() || err != nil && !errors.Is(err, corrupt.Bad) {
		t.Fatalf("%v, or wrote beyond", err)
	}
	switch {
	case err != nil && wantErr == nil:
		t.Fatalf("%v: %d bytes otherwise", err, len(want))
	case err == nil && wantErr != nil:
		if !errors.Is(wantErr, gzip.ErrHeader) || !bytes.Contains(body, []byte{0x1f, 0x8b, 8}) || len(body) < 512 {
			t.Fatalf("%d bytes, otherwise %v", len(want), wantErr)
		}
	case err == nil && !bytes.Equal(dst, want):
		t.Fatalf("%d bytes differ", len(want))
	}
	if err != nil {
		return
	}
	for _, need := range []int{0, 1, len(want) / 2, len(want)} {
		dst, intact := guarded(min(need, len(want)), 400)
		if err := d.DecodePrefix(dst, body); err != nil || !bytes.Equal(dst, want[:len(dst)]) || !intact() {
			t.Fatalf("first %d of %d bytes: %v, or they differ", len(dst), len(want), err)
		}
	}
	if err := d.Decode(make([]byte, len(want)+1), body); !errors.Is(err, corrupt.Bad) {
		t.Fatalf("%d bytes and one more: %v", len(want), err)
	}
	if len(want) > 0 {
		if err := d.Decode(make([]byte, len(want)-1, len(want)+400), body); !errors.Is(err, corrupt.Bad) {
			t.Fatalf("%d bytes less one: %v", len(want), err)
		}
	}
}

var headers = []gzip.Header{
	{},
	{Name: "name"},
	{Comment: "comment"},
	{Extra: []byte{}},
	{Extra: []byte("extra")},
	{Extra: make([]byte, 65535)},
	{Name: "name", Comment: "comment", Extra: []byte{1, 2, 0, 4}, ModTime: time.Unix(1<<31, 0), OS: 3},
	{Name: strings.Repeat("n", 511)},
}

func TestHeaders(t *testing.T) {
	var d Decoder
	for i, h := range headers {
		body, want := withHeader(t, h)
		n, err := header(body)
		if err != nil {
			t.Fatalf("header %d: %v", i, err)
		}
		for _, b := range [][]byte{body, withSum(body, n)} {
			got := make([]byte, len(want))
			if err := d.Decode(got, b); err != nil || !bytes.Equal(got, want) {
				t.Errorf("header %d gives %q, %v", i, got, err)
			}
			checkBody(t, &d, b)
			checkBody(t, &d, append(bytes.Clone(b), b...))
			for at := range min(n+2, 40) {
				for bit := range 8 {
					bad := bytes.Clone(b)
					bad[at] ^= 1 << bit
					checkBody(t, &d, bad)
				}
			}
			for cut := 0; cut < len(b); cut += 1 + cut/50 {
				if err := d.Decode(make([]byte, len(want)), b[:cut:cut]); !errors.Is(err, corrupt.Bad) {
					t.Errorf("header %d, cut to %d of %d bytes: %v", i, cut, len(b), err)
				}
				if err := d.Decode(got, append(bytes.Clone(b), b[:cut]...)); cut > 0 != errors.Is(err, corrupt.Bad) {
					t.Errorf("header %d and %d of %d bytes: %v", i, cut, len(b), err)
				}
			}
		}
	}
}

// RFC 1952 knows no limit for names; klauspost/compress and Go refuse these.
func TestLongNames(t *testing.T) {
	body, want := withHeader(t, gzip.Header{Name: strings.Repeat("n", 512), Comment: strings.Repeat("c", 5000)})
	if _, err := read(t, body); err == nil {
		t.Error("others take it, too: say so in doc.go")
	}
	got := make([]byte, len(want))
	var d Decoder
	if err := d.Decode(got, body); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var d Decoder
	for range 300 {
		var body, want []byte
		for range r.IntN(5) {
			stream, out := randomStream(r, 1+r.IntN(2), 1+r.IntN(200))
			if r.IntN(4) == 0 {
				stream, out = []byte{3, 0}, nil
			}
			body, want = append(body, member(stream, out)...), append(want, out...)
		}
		got := make([]byte, len(want), len(want)+400)
		if err := d.Decode(got, body); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes of %d: %v, or they differ", len(want), len(body), err)
		}
		checkBody(t, &d, body)
		for range 10 {
			bad := append(bytes.Clone(body), make([]byte, r.IntN(2)*r.IntN(20))...)
			if len(bad) > 0 {
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
				checkBody(t, &d, bad[:len(bad)-r.IntN(2)*r.IntN(min(len(bad), 20))])
			}
		}
		need := r.IntN(len(want) + 1)
		if err := d.DecodePrefix(got[:need], body); err != nil || !bytes.Equal(got[:need], want[:need]) {
			t.Fatalf("first %d of %d bytes: %v, or they differ", need, len(want), err)
		}
	}
}

// A decoder that has failed, or has not been read to the end, is as good as a new one.
func TestDecoderIsReusable(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var d Decoder
	for range 500 {
		stream, out := randomStream(r, 3, 300)
		body := member(stream, out)
		bad := bytes.Clone(body)
		bad[10+r.IntN(len(stream))] ^= 1 << r.IntN(8)
		_ = d.Decode(make([]byte, len(out)), bad) // whether it is an error or not
		_ = d.DecodePrefix(make([]byte, r.IntN(len(out)+1)), body)
		got := make([]byte, len(out))
		if err := d.Decode(got, body); err != nil || !bytes.Equal(got, out) {
			t.Fatalf("%v, or it differs", err)
		}
		if d.src != nil || d.out != nil {
			t.Fatal("a decoder at rest holds a page")
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	page := codectest.Kinds()[0].Page(rand.New(rand.NewPCG(9, 9)))
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(page)
	w.Close()
	dst := make([]byte, len(page))
	var d Decoder
	if n := testing.AllocsPerRun(10, func() {
		if err := d.Decode(dst, b.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := d.DecodePrefix(dst[:len(dst)/3], b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
