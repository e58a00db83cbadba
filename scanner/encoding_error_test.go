package scanner

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Encodings that nobody has given a name are told by their number.
func TestEncodingsWithoutName(t *testing.T) {
	const nameless = wire.Encoding(1)
	page := gen.Page{Header: func(h *wire.PageHeader) { h.DataPageHeader.Encoding = nameless }, Data: gen.Data{Values: []int32{7}}}
	known := gen.Page{Header: func(h *wire.PageHeader) { h.DataPageHeader.Encoding = wire.Encoding_DELTA_BYTE_ARRAY }, Data: gen.Data{Values: []int32{7}}}
	newer := gen.Page{Header: func(h *wire.PageHeader) { h.DataPageHeader.Encoding = 12 }, Data: gen.Data{Values: []int32{7}}}
	for _, tc := range []struct {
		column gen.Column
		want   string
	}{
		{gen.Column{Pages: []gen.Page{page}}, "values of type INT32 in encoding 1"},
		{gen.Column{Pages: []gen.Page{newer}}, "values in encoding 12, which no version of the format has yet; FSST and PFOR are proposed"},
		{gen.Column{Pages: []gen.Page{known}}, "values of type INT32 in encoding DELTA_BYTE_ARRAY"},
		{gen.Column{
			Shape: gen.Shape{Encoding: gen.Dictionary}, Data: &gen.Data{Values: []int32{7}},
			DictionaryHeader: func(h *wire.PageHeader) { h.DictionaryPageHeader.Encoding = nameless },
		}, "dictionary page in encoding 1"},
	} {
		f, _ := recorded(t, scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
			RowGroups: []gen.RowGroup{{Columns: []gen.Column{tc.column}}},
		}))
		var err error
		for _, err = range f.Scan(t.Context(), Options{}) {
		}
		if !errors.Is(err, ErrUnsupported) || !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}
