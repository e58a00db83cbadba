package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/guide"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/progress"
	"github.com/winnow-scan/winnow/internal/cli/stream"
)

// execute runs a command on every file, one after the other. A bad file costs a
// line on stderr and the exit code, and does not stop the others.
func (p *Program) execute(ctx context.Context, cmd *command.Command, o *command.Options, args []string, std command.Streams) (int, error) {
	opener, err := p.opener(std, o)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	in := input.Find(ctx, opener, args, cmd.Takes&command.TakesWhere != 0)
	defer in.Opener.Close()
	if err := in.RefuseOutput(o.Output); err != nil {
		return exitUsage, &fault.UsageError{Command: cmd.Name, What: cmd.Name + ": " + err.Error()}
	}
	r, to, err := p.report(ctx, cmd, o, std)
	if err != nil {
		return exitUsage, err
	}
	r.Progress.Start(in.Number())
	t, err := cmd.Run(ctx, o, in, r)
	if usage := (*fault.UsageError)(nil); errors.As(err, &usage) {
		usage.Command, usage.What = cmp.Or(usage.Command, cmd.Name), cmd.Name+": "+usage.What
	}
	if err != nil {
		r.Progress.End()
		if fault.IsMismatch(err) { // of files that cannot be united
			return exitBadFile, errors.Join(err, to.Finish(false))
		}
		return exitUsage, errors.Join(err, to.Finish(false))
	}
	look := t.File
	t.File = func(ctx context.Context, f *input.File) error {
		defer r.Progress.Begin(f.File, f.Number)()
		return look(ctx, f)
	}
	code, err := visitAll(ctx, in, cmd, o, t, r, std.Err)
	r.Progress.End()
	if err != nil {
		return code, errors.Join(err, to.Finish(false))
	}
	if t.Finish != nil {
		err = t.Finish()
	}
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		return exitBadFile, errors.Join(err, to.Finish(false))
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, to.Finish(false)
	case code != exitOK && to.Replaces:
		return code, errors.Join(fmt.Errorf("-o %s: not written, since not everything could be read", fault.ShortName(o.Output)), to.Finish(false))
	}
	return code, to.Finish(true)
}

// report opens the output that a command line asks for.
func (p *Program) report(ctx context.Context, cmd *command.Command, o *command.Options, std command.Streams) (*output.Report, *output.Destination, error) {
	return output.Open(ctx, &output.Request{
		File: o.Output, Format: o.Format, Formats: cmd.Formats, Silent: o.Picture == output.ToStdout, Screen: p.screen, Wide: o.Wide, Shape: o.Shape,
		Progress: progress.New(o.Progress, o.Where.Expr != nil, std.Err),
	}, std.Out)
}

// visitAll runs a task on every file, and returns the exit code: not 0 if a file
// was bad. An error ends the command.
func visitAll(ctx context.Context, in *input.Files, cmd *command.Command, o *command.Options, t *command.Task, r *output.Report, stderr *os.File) (code int, fatal error) {
	badFile := func(err error) {
		r.Flush() // the part of the answer before the error
		r.Progress.Aside(func() { fault.Print(stderr, o.Keys.Hint(cmd.Takes&command.TakesSelect != 0, err)) })
		code = exitBadFile
	}
	// settle says what became of a file, or of all. It returns false if that ends the command.
	settle := func(err error) bool {
		var usage *fault.UsageError
		switch {
		case ctx.Err() != nil:
			// Whole lines that were ready are written.
			code, fatal = exitInterrupted, errors.Join(context.Cause(ctx), r.Flush())
		case errors.As(err, &usage):
			usage.Command = cmp.Or(usage.Command, cmd.Name)
			code, fatal = exitUsage, errors.Join(usage, r.Flush())
		case err != nil && r.Flush() != nil: // the answer cannot be written, which is no fault of the file
			code, fatal = exitBadFile, r.Flush()
		case err != nil:
			badFile(err)
		}
		return fatal == nil
	}
	if t.All == nil && t.Enough == nil {
		defer in.OpenAhead(ctx, o.Where.Expr, t.Ahead)()
	}
	number := 0
	for _, a := range in.Args {
		if a.Err != nil {
			badFile(a.Err)
			continue
		}
		for _, name := range a.Files {
			switch {
			case t.All != nil:
			case t.Enough != nil && t.Enough():
				if err := in.Opener.Check(ctx, name); err != nil {
					badFile(err)
				}
			default:
				if !settle(o.Where.Explain(fault.ShortName(name), in.Visit(ctx, o.Where.Expr, name, number, t.File, t.Excluded))) {
					return code, fatal
				}
				number++
			}
		}
	}
	if t.All != nil {
		settle(o.Where.Explain("", t.All(ctx)))
	}
	return code, fatal
}

// parseFault answers a command line that could not be parsed: with help, if that
// was asked for.
func (p *Program) parseFault(cmd *command.Command, err error, std command.Streams) (int, error) {
	if errors.Is(err, flag.ErrHelp) {
		text, err := guide.Explain(p.commands(), []string{cmd.Name})
		return exitOK, write(std.Out, text, err)
	}
	usage := &fault.UsageError{What: err.Error()}
	errors.As(err, &usage)
	usage.Command, usage.What = cmp.Or(usage.Command, cmd.Name), cmd.Name+": "+usage.What
	return exitUsage, usage
}

// opener returns the opener of the files of one command line.
func (p *Program) opener(std command.Streams, o *command.Options) (input.Opener, error) {
	blocks, err := o.Cache.Blocks()
	if err != nil {
		return input.Opener{}, err
	}
	open, err := o.Keys.Options()
	return input.Opener{Schemes: p.Schemes, Blocks: blocks, Options: open, Streams: map[string]*stream.Stream{stream.Stdin: {In: std.In}}}, err
}
