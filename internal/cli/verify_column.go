package cli

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
)

// verification is the work on a column, with all leaves in it, of a row group.
type verification struct {
	*verifier
	group  int
	top    *schema.Node
	wanted []bool // of its leaves
	findings
}

// run verifies the column. An error is not the file's.
func (v *verification) run(ctx context.Context) error {
	var nested levelHashes
	for i, wanted := range v.wanted {
		if !wanted {
			continue
		}
		c, err := v.f.Chunk(v.group, v.top.FirstLeaf+i)
		if err == nil {
			err = v.leaf(ctx, c, &nested)
		}
		if err := v.note(ctx, err); err != nil {
			return err
		}
	}
	return nil
}

// leaf verifies one leaf.
func (v *verification) leaf(ctx context.Context, c *scanner.Chunk, nested *levelHashes) error {
	x, err := v.layout(ctx, c)
	if err != nil {
		return err
	}
	for l, err := range v.slots(ctx, c, v.progress.begins(decodingValues)) {
		if err != nil {
			return err
		}
		v.add(x, l)
	}
	v.endPages(x)
	v.compareChunk(x)
	v.compareLevels(x, nested)
	return nil
}

// note notes an error that is the file's, once, and returns any other.
func (v *findings) note(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || isOutsideFile(err) {
		return err
	}
	known := func(d defect) bool { return d.err.Error() == err.Error() }
	if !slices.ContainsFunc(v.all, known) {
		v.all = append(v.all, defect{err: err})
	}
	return nil
}

// fault notes what is wrong with a chunk or one of its pages, -1 for none.
func (v *verification) fault(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.defect(false, c, page, offset, parts...)
}

// flaw is fault for what no answer depends on.
func (v *verification) flaw(c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.defect(true, c, page, offset, parts...)
}

// defect notes a flaw or a fault.
func (v *verification) defect(flaw bool, c *scanner.Chunk, page int, offset int64, parts ...any) {
	v.all = append(v.all, defect{flaw, inPage(v.f.Name(), c, page, offset, corrupt.At(-1, parts...))})
}

// claim is a number that a file states, where it does, and the right one.
type claim struct {
	stated   bool
	where    string // "column index"
	what     string // "nulls"
	says, is int64
	flaw     bool // no answer depends on it
}

// hold notes the claims that are wrong.
func (v *verification) hold(c *scanner.Chunk, page int, offset int64, claims ...claim) {
	for _, x := range claims {
		if x.stated && x.says != x.is {
			v.defect(x.flaw, c, page, offset, x.where, ": ", x.says, " ", x.what, ", there are ", x.is)
		}
	}
}
