package codec

import (
	"bytes"
	"testing"

	"github.com/winnow-scan/winnow/thrift"
)

// Libraries decode what the decoders of a Set do.
func TestLibraries(t *testing.T) {
	found := map[thrift.Codec]bool{}
	for _, p := range packings {
		library, ok := Libraries()[p.id]
		if !ok {
			continue
		}
		found[p.id] = true
		for name, body := range bodies() {
			got, err := library.Decode([]byte("levels"), p.pack(t, body), len(body))
			if err != nil || string(got[:6]) != "levels" || !bytes.Equal(got[6:], body) {
				t.Errorf("%s of %s by %s: %d bytes, %v", p.name, name, library.Name, len(got), err)
			}
		}
	}
	if !found[thrift.CodecSnappy] || !found[thrift.CodecGzip] || !found[thrift.CodecBrotli] || !found[thrift.CodecLZ4Raw] {
		t.Errorf("libraries for %v only", found)
	}
}

// Where a library decodes whole bodies, bodies are the same, and errors those of our decoder.
func TestByLibrary(t *testing.T) {
	m := memory{spare}
	own := newZstd(m)
	c := byLibrary(libraryZstd(m), own)
	for _, p := range packings {
		if p.id != thrift.CodecZstd {
			continue
		}
		for name, body := range bodies() {
			src := p.pack(t, body)
			for _, need := range []int{len(body) / 100, len(body) / 2, len(body)} {
				got, err := c.DecodePrefix(nil, src, need, len(body))
				if err != nil || len(got) < need || !bytes.HasPrefix(body, got) {
					t.Errorf("%s of %s, first %d: %d bytes, %v", p.name, name, need, len(got), err)
				}
			}
			for i := range src {
				if i%(1+len(src)/40) > 0 {
					continue
				}
				bad := bytes.Clone(src)
				bad[i] ^= 0x55
				want, wantErr := own.Decode(nil, bad, len(body))
				got, err := c.Decode(nil, bad, len(body))
				if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() || err == nil && !bytes.Equal(got, want) {
					t.Errorf("%s of %s, damaged at byte %d: %v, want %v", p.name, name, i, err, wantErr)
				}
			}
		}
	}
}
