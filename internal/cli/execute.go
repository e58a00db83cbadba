package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
)

// execute runs a command on every file, one after the other. A bad file costs a
// line on stderr and the exit code, and does not stop the others.
func (p *Program) execute(ctx context.Context, cmd *Command, o *options, args []string, std Streams) (int, error) {
	opener, err := p.opener(std, o)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	in := findInputs(ctx, opener, args, cmd.takes&takesWhere != 0)
	defer in.opener.close()
	if err := in.refuseOutput(o.output); err != nil {
		return exitUsage, &usageError{command: cmd.Name, what: cmd.Name + ": " + err.Error()}
	}
	r, to, err := p.report(ctx, cmd, o, std)
	if err != nil {
		return exitUsage, err
	}
	r.progress.start(in.number())
	t, err := cmd.run(ctx, o, in, r)
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		usage.command, usage.what = cmp.Or(usage.command, cmd.Name), cmd.Name+": "+usage.what
	}
	if err != nil {
		r.progress.end()
		return exitUsage, errors.Join(err, to.finish(false))
	}
	look := t.file
	t.file = func(ctx context.Context, f *input) error {
		defer r.progress.begin(f.File, f.number)()
		return look(ctx, f)
	}
	code, err := visitAll(ctx, in, cmd, o, t, r, std.Err)
	r.progress.end()
	if err != nil {
		return code, errors.Join(err, to.finish(false))
	}
	if t.finish != nil {
		err = t.finish()
	}
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		return exitBadFile, errors.Join(err, to.finish(false))
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, to.finish(false)
	case code != exitOK && to.replaces:
		return code, errors.Join(fmt.Errorf("-o %s: not written, since not everything could be read", shortName(o.output)), to.finish(false))
	}
	return code, to.finish(true)
}

// report opens the output that a command line asks for.
func (p *Program) report(ctx context.Context, cmd *Command, o *options, std Streams) (*Report, *destination, error) {
	return openReport(ctx, &request{
		file: o.output, format: o.format, formats: cmd.formats, silent: o.picture == toStdout, screen: p.screen, wide: o.wide, shape: o.shape,
		progress: newProgress(o.progress, o.where.expr != nil, std.Err),
	}, std.Out)
}

// visitAll runs a task on every file, and returns the exit code: not 0 if a file
// was bad. An error ends the command.
func visitAll(ctx context.Context, in *inputs, cmd *Command, o *options, t *task, r *Report, stderr *os.File) (code int, fatal error) {
	badFile := func(err error) {
		r.flush() // the part of the answer before the error
		r.progress.aside(func() { printError(stderr, o.keys.hint(cmd.takes&takesSelect != 0, err)) })
		code = exitBadFile
	}
	// settle says what became of a file, or of all. It returns false if that ends the command.
	settle := func(err error) bool {
		var usage *usageError
		var output *outputError
		switch {
		case ctx.Err() != nil:
			// Whole lines that were ready are written.
			code, fatal = exitInterrupted, errors.Join(context.Cause(ctx), r.flush())
		case errors.As(err, &usage):
			usage.command = cmp.Or(usage.command, cmd.Name)
			code, fatal = exitUsage, errors.Join(usage, r.flush())
		case errors.As(err, &output):
			code, fatal = exitBadFile, output
		case err != nil:
			badFile(err)
			return true
		default:
			return true
		}
		return false
	}
	if t.all == nil && t.enough == nil {
		defer in.openAhead(ctx, o.where.expr)()
	}
	number := 0
	for _, a := range in.args {
		if a.err != nil {
			badFile(a.err)
			continue
		}
		for _, name := range a.files {
			switch {
			case t.all != nil:
			case t.enough != nil && t.enough():
				if err := in.opener.check(ctx, name); err != nil {
					badFile(err)
				}
			default:
				if !settle(o.where.explain(shortName(name), in.visit(ctx, o.where.expr, name, number, t.file, t.excluded))) {
					return code, fatal
				}
				number++
			}
		}
	}
	if t.all != nil {
		settle(o.where.explain("", t.all(ctx)))
	}
	return code, fatal
}
