package verify

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/internal/cli/fault"
)

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
