package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// framed is a Cipher that encrypts nothing: a module is its bytes behind the length and the
// name of its place, and in front of spaces where a tag would be. So whoever writes pages
// with the right keys is imitated.
type framed struct{}

func (framed) Overhead() int32 { return 4 + 12 + 16 }

func place(m Module, page int) string { return fmt.Sprintf("%-12s", fmt.Sprintf("%d,%d", m, page)) }

func (framed) Decrypt(dst, b []byte, m Module, page int) ([]byte, error) {
	if len(b) < 4+12+16 || int(binary.LittleEndian.Uint32(b)) != len(b)-4 || string(b[4:16]) != place(m, page) {
		return nil, corrupt.At(-1, m, " of page ", page, " does not decrypt")
	}
	return append(dst[:0], b[16:len(b)-16]...), nil
}

func seal(m Module, page int, plain []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(plain)+28))
	b = append(append(b, place(m, page)...), plain...)
	return append(b, "                "...)
}

// sealed encrypts the pages of a chunk. change, if it is not nil, alters what is encrypted.
func sealed(t *testing.T, chunk []byte, spans []gen.Span, change func(h *wire.PageHeader, header []byte) []byte) []byte {
	t.Helper()
	var out []byte
	ordinal := 0
	for _, s := range spans {
		var h wire.PageHeader
		if _, err := thrift.Decode(chunk[s.Start:s.Body], &h); err != nil {
			t.Fatal(err)
		}
		page, head, module := ordinal, DataPageHeader, DataPage
		if h.Type == wire.PageType_DICTIONARY_PAGE {
			page, head, module = -1, DictionaryPageHeader, DictionaryPage
		} else {
			ordinal++
		}
		body := seal(module, page, chunk[s.Body:s.End])
		h.CompressedPageSize = int32(len(body))
		crc := int32(crc32.ChecksumIEEE(body))
		h.Crc = &crc
		header, err := gen.Thrift(&h)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			header = change(&h, header)
		}
		out = append(append(out, seal(head, page, header)...), body...)
	}
	return out
}

// walkSealed returns the bodies of a chunk's pages, given the bytes that the Walker asks for.
func walkSealed(chunk []byte) (bodies [][]byte, err error) {
	o := options()
	o.Cipher = framed{}
	u, err := o.Unpacker(0)
	if err != nil {
		return nil, err
	}
	var w Walker
	w.Reset(Chunk{Length: int64(len(chunk)), Cipher: framed{}})
	supplied := func(step func() (Need, error)) error {
		for {
			need, err := step()
			if !need.Some() {
				return err
			}
			if need.From < 0 || need.To > int64(len(chunk)) || need.From >= need.To {
				return fmt.Errorf("bytes %d to %d of %d are needed", need.From, need.To, len(chunk))
			}
			w.Supply(need.From, chunk[need.From:need.To])
		}
	}
	for {
		var p *Page
		err := supplied(func() (need Need, err error) { p, need, err = w.Next(); return need, err })
		var packed []byte
		if err == nil {
			err = supplied(func() (need Need, _ error) { packed, need = w.Packed(); return need, nil })
		}
		if err == io.EOF {
			return bodies, nil
		}
		if err != nil {
			return bodies, err
		}
		plain, err := u.Open(nil, &p.Header, p.Ordinal, packed)
		if err == nil {
			plain, err = u.Unpack(nil, &p.Header, plain, int(p.Header.UncompressedSize))
		}
		if err != nil {
			return bodies, err
		}
		bodies = append(bodies, plain)
	}
}

func shapes() []gen.Column {
	return []gen.Column{
		{PageRows: []int{10}},
		{PageRows: []int{10}, Shape: gen.Shape{Version: 2, Encoding: gen.Dictionary, PageStats: gen.MinMax}},
		{PageRows: []int{40, 0, 7}, Shape: gen.Shape{Encoding: gen.Dictionary}},
	}
}

// TestEncryptedPages: pages are decrypted as what and where they are, and nowhere else.
func TestEncryptedPages(t *testing.T) {
	for _, c := range shapes() {
		chunk, spans := written(t, c, 100)
		var want [][]byte
		for _, s := range spans {
			want = append(want, chunk[s.Body:s.End])
		}
		whole := sealed(t, chunk, spans, nil)
		got, err := walkSealed(whole)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d of %d pages, %v", len(got), len(want), err)
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("page %d: %d bytes, want %d", i, len(got[i]), len(want[i]))
			}
		}
		var wrong *corrupt.Error
		for cut := range whole {
			if _, err := walkSealed(whole[:cut]); cut > 0 && !errors.As(err, &wrong) && len(whole)-cut < 50 {
				t.Errorf("%d of %d bytes: %v", cut, len(whole), err)
			}
		}
		var modules [][]byte
		for rest := whole; len(rest) > 0; {
			var m []byte
			if m, rest, err = Cut(rest); err != nil {
				t.Fatal(err)
			}
			modules = append(modules, m)
		}
		bad := bytes.Clone(whole) // the cipher does not see it, but the checksum is over encrypted bytes
		bad[len(bad)-1]++
		if _, err := walkSealed(bad); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("a byte behind the last page is altered: %v", err)
		}
		if len(modules) != 2*len(spans) {
			t.Fatalf("%d modules of %d pages", len(modules), len(spans))
		}
		for i := range len(modules) - 2 { // headers, and bodies, of neighbours change places
			modules[i], modules[i+2] = modules[i+2], modules[i]
			if _, err := walkSealed(bytes.Join(modules, nil)); !errors.As(err, &wrong) {
				t.Errorf("modules %d and %d change places: %v", i, i+2, err)
			}
			modules[i], modules[i+2] = modules[i+2], modules[i]
		}
	}
}

// TestHostileEncryptedPages: who has the keys may still write nonsense.
func TestHostileEncryptedPages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	rounds := dtest.Rounds(t, 300)
	for round := range rounds {
		chunk, spans := written(t, shapes()[round%3], 60)
		b := sealed(t, chunk, spans, func(h *wire.PageHeader, header []byte) []byte {
			switch r.IntN(4) {
			case 0:
				header = bytes.Clone(header)
				header[r.IntN(len(header))] ^= 1 << r.IntN(8)
			case 1:
				h.CompressedPageSize = []int32{0, 1, 31, 32, 33, -1, -1 << 31, 1<<31 - 1}[r.IntN(8)]
				h.UncompressedPageSize = []int32{h.UncompressedPageSize, 0, h.CompressedPageSize}[r.IntN(3)]
				var err error
				if header, err = gen.Thrift(h); err != nil {
					t.Fatal(err)
				}
			}
			return header
		})
		if r.IntN(2) == 0 { // lengths of modules
			binary.LittleEndian.PutUint32(b, []uint32{0, 3, 27, 28, 1 << 31, 1<<32 - 1}[r.IntN(6)])
		}
		_, err := walkSealed(b)
		var bad *corrupt.Error
		if err != nil {
			if refused++; !errors.As(err, &bad) {
				t.Fatal(err)
			}
		}
	}
	if refused < rounds/2 {
		t.Errorf("%d are refused", refused)
	}
}
