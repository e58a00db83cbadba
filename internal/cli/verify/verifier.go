package verify

import (
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
