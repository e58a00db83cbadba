package command

import (
	"context"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Task is a command at work.
type Task struct {
	File     func(ctx context.Context, f *input.File) error
	All      func(ctx context.Context) error // in place of file: it opens the files
	Excluded func(name string) error         // in place of file, where folders tell that no row passes
	Enough   func() bool                     // whether no further file is needed; nil: never
	Finish   func() error                    // what comes after the last file; nil: nothing
}

// EachFile returns the run of a command whose answer is that of each file. excluded returns
// the record of a file that is not opened, as its folders tell that no row passes: in tables
// such files share a line. If it is nil, nothing is said about them.
func EachFile(file func(ctx context.Context, f *input.File, o *Options, r *output.Report) error, excluded func(name string, o *Options) any) func(context.Context, *Options, *input.Files, *output.Report) (*Task, error) {
	return func(_ context.Context, o *Options, in *input.Files, r *output.Report) (*Task, error) {
		first := true
		separate := func() {
			if r.Tables() && !first {
				r.Blank()
			}
			first = false
		}
		t := &Task{File: func(ctx context.Context, f *input.File) error {
			separate()
			return file(ctx, f, o, r)
		}}
		if excluded == nil {
			return t, nil
		}
		left := int64(0)
		t.Excluded = func(name string) error {
			if left++; r.Tables() {
				return nil
			}
			r.Struct(excluded(name, o))
			return nil
		}
		t.Finish = func() error {
			if left > 0 && r.Tables() {
				separate()
				r.Heading(table.Number(left)+" of "+table.Plural(int64(in.Number()), "file"), "not opened: by their folders, no row passes")
			}
			return nil
		}
		return t, nil
	}
}
