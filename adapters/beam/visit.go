package winnowio

import (
	"context"
	"errors"

	"github.com/winnow-scan/winnow/adapters/beam/internal/restriction"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// OpenOptions are how files are opened: keys of encrypted ones, for instance. They belong into an
// init function, as workers run no other code first:
//
//	func init() { winnowio.OpenOptions.Keys = keyOf }
//
// Metadata is a cache of 64 MiB: the restrictions of a file that come to one worker read its
// footer and indexes once.
var OpenOptions = scanner.OpenOptions{Metadata: cache.New(64 << 20)}

// rowNumber names the column that tells which row to claim.
const rowNumber = "winnowio: row number"

// visit is an open file with what a scan of it needs.
type visit struct {
	ctx     context.Context
	file    *scanner.File
	options scanner.Options
	decoder *scanner.Decoder
	tested  map[string]bool // columns of the filter's tests, as the plan names them
}

// visit opens a file and calls do, unless the filter excludes it by its path.
func (fn *base) visit(ctx context.Context, name string, keys *filter.Keys, do func(*visit) error) (err error) {
	q, err := fn.query()
	if err != nil {
		return err
	}
	o, err := q.options(keys)
	if err != nil {
		return err
	}
	var src fetch.Source // once the file is needed
	close := func() error { return nil }
	defer func() { err = errors.Join(err, close()) }()
	o.RowNumber = rowNumber
	files := dataset.New([]string{name}, func(ctx context.Context, name string) (_ *scanner.File, err error) {
		if src == nil {
			var end func() error
			if src, end, err = openSource(ctx, name); err != nil {
				return nil, err
			}
			close = end
		}
		return OpenOptions.OpenSource(ctx, name, src)
	})
	d, err := scanner.NewDecoder(ctx, files, fn.Type.T, &o)
	if err != nil {
		return err
	}
	return files.Each(ctx, o, func(f *scanner.File, o scanner.Options) error {
		return do(&visit{ctx: ctx, file: f, options: o, decoder: d, tested: map[string]bool{}})
	})
}

// plan returns the row groups of the file with what metadata prove about those in r, and
// where the tracker may cut them. The scan uses the plan.
func (v *visit) plan(r restriction.Restriction) ([]restriction.Group, error) {
	groups, err := restriction.Groups(v.file, v.reads())
	if err != nil || v.options.Filter == nil {
		return groups, err
	}
	o := v.options
	o.Rows = r.Rows(groups)
	p, err := v.file.Plan(v.ctx, o)
	if err != nil {
		return nil, err
	}
	v.options.Plan = p
	for i := range p.Groups {
		for _, t := range p.Groups[i].Tests {
			v.tested[t.Column] = true
		}
	}
	if groups, err = restriction.Groups(v.file, v.reads()); err != nil {
		return nil, err
	}
	for i := range groups {
		g := &groups[i]
		g.Rows = nil
		for k := range p.Groups {
			if p.Groups[k].RowGroup == g.RowGroup {
				g.Rows = p.Groups[k].Rows
			}
		}
	}
	return groups, nil
}

// reads returns a function that reports whether the scan reads a leaf, as far as is known:
// by position and field id, any leaf may be.
func (v *visit) reads() func(leaf *schema.Node) bool {
	names := map[string]bool{}
	for _, w := range v.options.Want {
		names[w.Name] = true
	}
	return func(leaf *schema.Node) bool {
		return v.options.By != scanner.ByName || names[leaf.Path()[0]] || v.tested[leaf.String()]
	}
}
