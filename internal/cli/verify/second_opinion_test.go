package verify

import (
	"io"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// liar is a codec that gets the last byte of each body wrong.
type liar struct{ codec.Codec }

func (c liar) Decode(dst, src []byte, size int) ([]byte, error) {
	out, err := c.Codec.Decode(dst, src, size)
	if err == nil && size > 0 {
		out[len(out)-1] ^= 1
	}
	return out, err
}

func (c liar) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	return c.Decode(dst, src, size)
}

// refuser is a codec that refuses all bodies.
type refuser struct{ codec.Codec }

func (refuser) Decode(dst, _ []byte, _ int) ([]byte, error) { return dst, io.ErrUnexpectedEOF }

func (c refuser) DecodePrefix(dst, src []byte, _, size int) ([]byte, error) {
	return c.Decode(dst, src, size)
}

// onePage is a file of one compressed page.
func onePage(compression gen.Codec) *gen.File {
	return &gen.File{
		All:       gen.Column{Codec: compression},
		Schema:    []*gen.Node{gen.Required("k", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"k": 1}, gen.Record{"k": 2}, gen.Record{"k": 3}}}},
	}
}

func asIs(*scanner.File) {}

// verified returns what verify writes about a file, and its error.
func verified(t *testing.T, written *gen.File, codecs *codec.Set, change func(*scanner.File)) (string, error) {
	t.Helper()
	b, err := written.Write()
	if err != nil {
		t.Fatal(err)
	}
	file, err := scanner.OpenSource(t.Context(), "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	change(file)
	var out strings.Builder
	r := output.NewReport(&out, output.Format{}, table.Screen{})
	err = verify(t.Context(), &input.File{File: file}, &command.Options{Limit: -1, RowGroup: -1}, r, codecs)
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String(), err
}

// A decoder of the reader that is wrong is a fault, and said to be the reader's.
func TestVerifyDoubtsDecoders(t *testing.T) {
	as := map[thrift.Codec]gen.Codec{thrift.CodecSnappy: gen.Snappy, thrift.CodecGzip: gen.Gzip, thrift.CodecZstd: gen.Zstd, thrift.CodecBrotli: gen.Brotli, thrift.CodecLZ4Raw: gen.LZ4Raw}
	reader := codec.NewSet(codec.Options{})
	for id, library := range codec.Libraries() {
		own, err := reader.Codec(id)
		if err != nil {
			t.Fatal(err)
		}
		disagrees := `"page":0,"offset":4,"text":"page body: ` + id.String() + ": the reader's own decoder disagrees with " + library.Name + ": "
		for _, c := range []struct {
			codec codec.Codec
			want  string
		}{
			{own, ""},
			{liar{own}, disagrees + "byte 23 of the body is another; please report it"},
			{refuser{}, disagrees + "it refuses a body that the library decodes: unexpected EOF; please report it"},
		} {
			out, err := verified(t, onePage(as[id]), twiceDecoded(map[thrift.Codec]codec.Codec{id: c.codec}), asIs)
			if (err == nil) != (c.want == "") || !strings.Contains(out, c.want) {
				t.Errorf("%v: %v, %s; want %s", id, err, out, c.want)
			}
		}
	}
}

// So are metadata that are read wrong.
func TestVerifyDoubtsMetadata(t *testing.T) {
	out, err := verified(t, onePage(gen.Snappy), twiceDecoded(nil), func(f *scanner.File) { f.Footer().CreatedBy = "another" })
	if want := `footer: the reader disagrees with the code that Apache Thrift generates: CreatedBy is \"another\", not \"winnow gen\"; please report it"`; err == nil || !strings.Contains(out, want) {
		t.Errorf("%v, %s; want %s", err, out, want)
	}
}

// A VARIANT in the second row group has fields that are not in the order of their names: what leaves show, one by one, is right.
func TestVerifyVariants(t *testing.T) {
	group := func(metadata string) gen.RowGroup {
		return gen.RowGroup{Rows: []any{gen.Record{}, gen.Record{"v": gen.Record{"metadata": metadata, "value": "\x02\x02\x00\x01\x00\x02\x04\x0c\x01\x0c\x02"}}}}
	}
	v := gen.Optional("v", gen.Group, gen.Required("metadata", gen.ByteArray), gen.Optional("value", gen.ByteArray)).As(gen.Logical{Kind: gen.KindVariant})
	file := &gen.File{Schema: []*gen.Node{v}, RowGroups: []gen.RowGroup{group("\x01\x02\x00\x01\x02ab"), group("\x01\x02\x00\x01\x02ba")}}
	out, err := verified(t, file, twiceDecoded(nil), asIs)
	want := `{"kind":"fault","file":"f.parquet","row_group":1,"path":"v","text":"row 1: column v: fields 0 and 1 are not in the order of their names"}`
	if err == nil || strings.Count(out, `"kind":"fault"`) != 1 || !strings.Contains(out, want) {
		t.Errorf("%v, %s; want %s", err, out, want)
	}
}
