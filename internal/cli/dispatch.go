package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/guide"
	"github.com/winnow-scan/winnow/internal/cli/stream"
)

// dispatch finds the command of a command line, and runs it.
func (p *Program) dispatch(ctx context.Context, args []string, std command.Streams) (int, error) {
	t := p.commands()
	if len(args) == 0 {
		return exitUsage, write(std.Err, guide.Overview(t), nil)
	}
	name, rest := args[0], args[1:]
	isPrinter := func() bool { cmd := t.Find(name); return cmd == nil || cmd.Print != nil }
	if isPrinter() && areFiles(args) {
		name, rest = "head", args
	}
	if len(rest) > 0 && isHelp(rest[0]) && name != "help" && isPrinter() {
		text, err := guide.Explain(t, []string{name})
		return exitOK, write(std.Out, text, err)
	}
	switch {
	case isHelp(name):
		name = "help"
	case isVersion(name):
		name = "version"
	}
	switch cmd := t.Find(name); {
	case cmd == nil && name == "sql":
		return exitUsage, &fault.UsageError{What: "this program has no SQL; the one in adapters/scan has it: see its README.md"}
	case cmd == nil:
		return exitUsage, t.NoCommand(name)
	case cmd.Print != nil:
		text, err := cmd.Print(ctx, rest)
		return exitOK, write(std.Out, text, err)
	default:
		o, args, err := command.Parse(cmd, rest)
		if err != nil {
			return p.parseFault(cmd, err, std)
		}
		if cmd.Prepare != nil {
			return p.runPrepared(ctx, cmd, o, args, std)
		}
		return p.execute(ctx, cmd, o, args, std)
	}
}

// write writes a text, unless there is an error already.
func write(to *os.File, text string, err error) error {
	if err == nil {
		_, err = to.WriteString(text)
	}
	return err
}

// areFiles reports whether a command line without a command is one of files, with
// or without flags in front, and not a mistyped command.
func areFiles(args []string) bool {
	isFile := func(arg string) bool {
		_, err := os.Stat(arg)
		return arg == stream.Stdin || strings.ContainsAny(arg, "./*?[") || err == nil && arg != ""
	}
	switch first := args[0]; {
	case isHelp(first) || isVersion(first):
		return false
	case len(first) > 1 && first[0] == '-':
		return slices.ContainsFunc(args[1:], isFile)
	default:
		return isFile(first)
	}
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func isVersion(arg string) bool { return arg == "-version" || arg == "--version" }

// runPrepared runs a command that has Prepare.
func (p *Program) runPrepared(ctx context.Context, cmd *command.Command, o *command.Options, args []string, std command.Streams) (int, error) {
	opener, err := p.opener(std, o)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	call := &command.Call{Streams: std, Args: args, Opener: opener}
	defer call.Opener.Close()
	if cmd.Rows {
		err = p.runRows(ctx, cmd, o, call)
	} else {
		err = o.Prepared(ctx, call)
	}
	if usage, ok := errors.AsType[*fault.UsageError](err); ok {
		return p.parseFault(cmd, usage, std)
	}
	if err != nil {
		return exitBadFile, err
	}
	return exitOK, nil
}

// runRows runs a command that writes rows of data.
func (p *Program) runRows(ctx context.Context, cmd *command.Command, o *command.Options, call *command.Call) error {
	r, to, err := p.report(ctx, cmd, o, call.Streams)
	if err != nil {
		return err
	}
	if call.Rows, err = r.Format.New(r); err == nil {
		err = o.Prepared(ctx, call)
	}
	if err == nil {
		err = call.Rows.Finish()
	}
	if err != nil {
		// The part of the answer before the error.
		return errors.Join(err, r.Flush(), to.Finish(false))
	}
	return errors.Join(r.Finish(), to.Finish(ctx.Err() == nil))
}
