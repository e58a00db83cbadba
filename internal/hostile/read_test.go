package hostile

import (
	"context"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// readAll reads what the part concerns: the metadata always, then one chunk or
// all. It goes on after errors where a program could. It returns how many
// values it met, in metadata and pages, and the first error.
func readAll(file []byte, p part) (values int, err error) {
	r := reader{ctx: context.Background()}
	f, err := scanner.OpenSource(r.ctx, "specimen", fetch.FromBytes(file))
	if err != nil {
		return 0, err
	}
	r.metadata(f)
	for g := range f.Footer().RowGroups {
		for _, leaf := range f.Schema().Leaves() {
			if l := leaf.FirstLeaf; p.leaf < 0 || p.rowGroup == g && p.leaf == l {
				c, err := f.Chunk(g, l)
				if r.note(err); err == nil {
					r.chunk(f.Source(), c)
				}
			}
		}
	}
	return r.values, r.err
}

type reader struct {
	ctx    context.Context
	values int
	err    error
	text   []byte
}

func (r *reader) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) metadata(f *scanner.File) {
	pairs, err := f.Footer().KeyValues.Append(nil)
	r.note(err)
	r.values += len(pairs)
	s := f.Schema()
	for i := range s.Len() {
		n := s.Node(i)
		r.text = append(r.text[:0], n.String()...)
		if n.Kind != schema.Leaf {
			continue
		}
		if found := s.Find(n.Path()...); found != nil {
			r.values++
		}
		_, err := schema.ParsePath(n.String())
		r.note(err)
	}
}

func (r *reader) chunk(src fetch.Source, c *scanner.Chunk) {
	if c.Meta.HasStatistics {
		r.bounds(c.Leaf.Type, c.Meta.Statistics)
	}
	if x, err := c.ColumnIndex(r.ctx); err != nil {
		r.note(err)
	} else if x != nil {
		for _, bounds := range [][][]byte{x.MinValues, x.MaxValues} {
			for page, bound := range bounds {
				if page >= len(x.NullPages) || !x.NullPages[page] {
					r.value(c.Leaf.Type, bound)
				}
			}
		}
	}
	if x, err := c.OffsetIndex(r.ctx); err != nil {
		r.note(err)
	} else if x != nil {
		r.values += len(x.Pages)
	}
	if b, err := c.Bloom(r.ctx); err != nil {
		r.note(err)
	} else if b != nil {
		r.values += len(b.Bits) / 32
	}
	r.pages(src, c)
}

func (r *reader) bounds(t vector.Type, s thrift.Statistics) {
	for _, bound := range [][]byte{s.Min, s.Max, s.MinValue, s.MaxValue} {
		if bound != nil {
			r.value(t, bound)
		}
	}
}

// value writes a bound as text and as JSON.
func (r *reader) value(t vector.Type, plain []byte) {
	var err error
	r.text, err = vector.AppendText(r.text[:0], t, plain)
	r.note(err)
	r.text, err = vector.AppendJSON(r.text[:0], t, plain)
	r.note(err)
	r.values++
}
