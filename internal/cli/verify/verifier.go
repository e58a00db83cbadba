package verify

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
)

// verifier is the verification of a file. Safe for concurrent use.
type verifier struct {
	f        *input.File
	progress *progress.Progress
	codecs   *codec.Set
}

// inFooter notes what is wrong in the footer, of a row group or, with -1, of the file.
func (v *verifier) inFooter(to *findings, flaw bool, rowGroup int, column string, parts ...any) {
	e := &scanner.Error{File: v.f.Name(), RowGroup: rowGroup, Column: column, Page: -1, Offset: v.f.FooterRange().Off, Err: corrupt.At(-1, append([]any{"footer: "}, parts...)...)}
	to.all = append(to.all, defect{flaw: flaw, err: e})
}

// verification is the work on a column, with all leaves in it, of a row group.
type verification struct {
	*verifier
	group  int
	top    *schema.Node
	wanted []bool // of its leaves
	findings
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
	v.all = append(v.all, defect{flaw, fault.InPage(v.f.Name(), c, page, offset, corrupt.At(-1, parts...))})
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

// defect is something that is wrong with a file.
type defect struct {
	flaw bool // no answer depends on it
	err  error
}

// findings is what was found in a part of a file.
type findings struct {
	all           []defect
	pages, values int64
}

// note notes an error that is the file's, once, and returns any other.
func (v *findings) note(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || fault.IsOutsideFile(err) {
		return err
	}
	known := func(d defect) bool { return d.err.Error() == err.Error() }
	if !slices.ContainsFunc(v.all, known) {
		v.all = append(v.all, defect{err: err})
	}
	return nil
}
