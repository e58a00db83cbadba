package inspect

import (
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/scanner"
)

// eachChunk calls show for every selected chunk. A bad chunk does not stop the
// others; eachChunk returns the first error.
func eachChunk(f *input.File, o *command.Options, show func(*scanner.Chunk) error, r *output.Report) error {
	groups, leaves, err := o.Selected(f)
	if err != nil {
		return err
	}
	if r.Tables() {
		r.Heading(f.Name(), "")
	}
	var first error
	for _, g := range groups {
		for _, leaf := range leaves {
			c, err := f.Chunk(g, leaf)
			if err == nil {
				err = show(c)
			}
			if first == nil {
				first = err
			}
			if fault.IsOutsideFile(err) {
				return err
			}
		}
	}
	return first
}
