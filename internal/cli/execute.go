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
func (p *Program) execute(ctx context.Context, cmd *command, o *options, args []string, std Streams) (int, error) {
	opener, err := p.opener(std, o)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	in := findInputs(ctx, cmd, args, opener)
	defer in.opener.close()
	if err := in.refuseOutput(o.output); err != nil {
		return exitUsage, &usageError{command: cmd.name, what: cmd.name + ": " + err.Error()}
	}
	r, to, err := p.newReport(ctx, o, std)
	if err != nil {
		return exitUsage, err
	}
	r.progress.start(in.number())
	t, err := cmd.begin(ctx, o, in, r)
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		usage.command, usage.what = cmp.Or(usage.command, cmd.name), cmd.name+": "+usage.what
	}
	if err != nil {
		r.progress.end()
		return exitUsage, errors.Join(err, to.finish(false))
	}
	look := t.file
	t.file = func(ctx context.Context, f *input) error {
		defer r.progress.begin(f)()
		return look(ctx, f)
	}
	code, err := in.visitAll(ctx, cmd, o, t, r, std.Err)
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

// visitAll runs a task on every file, and returns the exit code: not 0 if a file
// was bad. An error ends the command.
func (in *inputs) visitAll(ctx context.Context, cmd *command, o *options, t *task, r *report, stderr *os.File) (code int, fatal error) {
	badFile := func(err error) {
		r.out.Flush() // the part of the answer before the error
		r.progress.aside(func() { printError(stderr, o.keys.hint(cmd, err)) })
		code = exitBadFile
	}
	// settle says what became of a file, or of all. It returns false if that ends the command.
	settle := func(err error) bool {
		var usage *usageError
		var output *outputError
		switch {
		case ctx.Err() != nil:
			// Whole lines that were ready are written.
			code, fatal = exitInterrupted, errors.Join(context.Cause(ctx), r.out.Flush())
		case errors.As(err, &usage):
			usage.command = cmp.Or(usage.command, cmd.name)
			code, fatal = exitUsage, errors.Join(usage, r.out.Flush())
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
		defer in.openAhead(ctx, o)()
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
				if !settle(o.where.explain(shortName(name), in.visit(ctx, o, t, name, number))) {
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
