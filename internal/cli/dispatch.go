package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
)

// dispatch finds the command of a command line, and runs it.
func (p *Program) dispatch(ctx context.Context, args []string, std Streams) (int, error) {
	t := p.commands()
	if len(args) == 0 {
		return exitUsage, overview(std.Err, t)
	}
	name, rest := args[0], args[1:]
	isPrinter := func() bool { cmd := t.find(name); return cmd == nil || cmd.print != nil }
	if isPrinter() && areFiles(args) {
		name, rest = "head", args
	}
	if len(rest) > 0 && isHelp(rest[0]) && name != "help" && isPrinter() {
		return exitOK, explainCommands(std.Out, t, []string{name})
	}
	switch {
	case isHelp(name):
		name = "help"
	case isVersion(name):
		name = "version"
	}
	switch cmd := t.find(name); {
	case cmd == nil && name == "sql":
		return exitUsage, &usageError{what: "this program has no SQL; the one in adapters/scan has it: see its README.md"}
	case cmd == nil:
		return exitUsage, t.noCommand(name)
	case cmd.print != nil:
		return exitOK, cmd.print(ctx, std, rest)
	case cmd.Prepare != nil:
		return p.runPrepared(ctx, cmd, rest, std)
	default:
		o, files, err := parse(cmd, rest)
		if err != nil {
			return p.parseFault(cmd, err, std)
		}
		return p.execute(ctx, cmd, o, files, std)
	}
}

// areFiles reports whether a command line without a command is one of files, with
// or without flags in front, and not a mistyped command.
func areFiles(args []string) bool {
	isFile := func(arg string) bool {
		_, err := os.Stat(arg)
		return arg == stdin || strings.ContainsAny(arg, "./*?[") || err == nil && arg != ""
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
func (p *Program) runPrepared(ctx context.Context, cmd *Command, args []string, std Streams) (int, error) {
	o := &options{}
	fs := newFlagSet(cmd)
	cmd.declare(o, fs)
	args, err := parseAnywhere(cmd, fs, args)
	if err != nil {
		return p.parseFault(cmd, explainFlag(cmd, err), std)
	}
	opener, err := p.opener(std, o)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	call := &Call{Streams: std, Args: args, opener: opener}
	defer call.opener.close()
	if cmd.Rows {
		err = p.runRows(ctx, cmd, o, call)
	} else {
		err = o.prepared(ctx, call)
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return p.parseFault(cmd, usage, std)
	}
	if err != nil {
		return exitBadFile, err
	}
	return exitOK, nil
}

// runRows runs a command that writes rows of data.
func (p *Program) runRows(ctx context.Context, cmd *Command, o *options, call *Call) error {
	if err := cmd.chooseFormat(o); err != nil {
		return UsageError(err.Error())
	}
	r, to, err := p.report(ctx, cmd, o, call.Streams)
	if err != nil {
		return err
	}
	if call.Rows, err = r.format.New(r); err == nil {
		err = o.prepared(ctx, call)
	}
	if err == nil {
		err = call.Rows.Finish()
	}
	if err != nil {
		// The part of the answer before the error.
		return errors.Join(err, r.flush(), to.finish(false))
	}
	return errors.Join(r.finish(), to.finish(ctx.Err() == nil))
}

// parseFault answers a command line that could not be parsed: with help, if that
// was asked for.
func (p *Program) parseFault(cmd *Command, err error, std Streams) (int, error) {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK, explainCommands(std.Out, p.commands(), []string{cmd.Name})
	}
	usage := &usageError{what: err.Error()}
	errors.As(err, &usage)
	usage.command, usage.what = cmp.Or(usage.command, cmd.Name), cmd.Name+": "+usage.what
	return exitUsage, usage
}
