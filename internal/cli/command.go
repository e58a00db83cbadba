package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// command is one line of the table of commands.
type command struct {
	name     string
	args     string // what follows the flags in the usage line
	summary  string
	detail   string   // the rest of its help
	examples []string // command lines for its help, without the program's name
	takes    takes    // the shared flags that mean something here
	far      bool     // the program has schemes: the command has the flags of farCache
	extra    *Command // a command of the program's own; it has none of what follows
	formats  []Format // of --format, the one for people first

	// flags declares the flags that only this command has.
	flags func(o *options, fs *flag.FlagSet)
	// arguments takes from the arguments after the flags those that are no files.
	arguments func(o *options, args []string) (files []string, err error)

	// file writes what the command has to say about one file. A command whose
	// answer is more than that of each file has start in its place.
	file  func(ctx context.Context, f *input, o *options, r *report) error
	start func(ctx context.Context, o *options, in *inputs, r *report) (*task, error)
	// excluded returns the record of a file that is not opened, as its folders tell
	// that no row passes; nil: nothing is said about such files. In tables they
	// share a line.
	excluded func(name string, o *options) any
}

// task is a command at work.
type task struct {
	file     func(ctx context.Context, f *input) error
	all      func(ctx context.Context) error // in place of file: it opens the files
	excluded func(name string) error         // in place of file, where folders tell that no row passes
	enough   func() bool                     // whether no further file is needed; nil: never
	finish   func() error                    // what comes after the last file; nil: nothing
}

// begin returns the task of one command line.
func (c *command) begin(ctx context.Context, o *options, in *inputs, r *report) (*task, error) {
	if c.start != nil {
		return c.start(ctx, o, in, r)
	}
	first := true
	separate := func() {
		if r.tables() && !first {
			r.blank()
		}
		first = false
	}
	t := &task{file: func(ctx context.Context, f *input) error {
		separate()
		return c.file(ctx, f, o, r)
	}}
	if c.excluded == nil {
		return t, nil
	}
	excluded := int64(0)
	t.excluded = func(name string) error {
		if excluded++; r.tables() {
			return nil
		}
		return r.record(c.excluded(name, o))
	}
	t.finish = func() error {
		if excluded > 0 && r.tables() {
			separate()
			r.heading(table.Number(excluded)+" of "+table.Plural(int64(in.number()), "file"), "not opened: by their folders, no row passes")
		}
		return nil
	}
	return t, nil
}

// commands returns the table of commands.
func (p *Program) commands() []*command {
	all := []*command{
		catCommand(), headCommand(), tailCommand(), sampleCommand(), countCommand(), minCommand(), maxCommand(), describeCommand(), explainCommand(), adviseCommand(),
		schemaCommand(), sizeCommand(), metaCommand(), pagesCommand(p.Name), indexCommand(), bloomCommand(), dumpCommand(), verifyCommand(),
	}
	for _, c := range all {
		c.formats = p.formats(c.takes)
	}
	for _, c := range append([]Command{serveCommand()}, p.Commands...) {
		extra := &command{name: c.Name, args: c.Args, summary: c.Summary, detail: c.Detail, examples: c.Examples, extra: &c}
		if c.Rows {
			extra.formats = p.formats(takesRows)
		}
		all = append(all, extra)
	}
	for _, c := range all {
		c.far = len(p.Schemes) > 0 && c.name != "serve" // which shows files of a folder only
	}
	return all
}

func (p *Program) opener(std Streams, o *options) (opener, error) {
	blocks, err := o.cache.blocks()
	if err != nil {
		return opener{}, err
	}
	open, err := o.keys.options()
	return opener{schemes: p.Schemes, blocks: blocks, open: open, streams: map[string]*stream{stdin: {in: std.In}}}, err
}

// builtin is a command that reads no file.
type builtin struct{ name, args, summary string }

func builtins() []builtin {
	return []builtin{
		{"help", "[COMMAND]", "explain a command"},
		{"version", "", "print the version of this program"},
		{"completion", "bash|zsh|fish", "print a script that completes commands, flags, files and columns"},
		{"manual", "", "print the manual page, as man -l - shows it"},
	}
}

func (p *Program) dispatch(ctx context.Context, args []string, std Streams) (int, error) {
	if len(args) == 0 {
		return exitUsage, p.overview(std.Err)
	}
	name, rest := args[0], args[1:]
	if p.find(name) == nil && p.areFiles(args) {
		name, rest = "head", args
	}
	if len(rest) > 0 && isHelp(rest[0]) && name != "help" && p.find(name) == nil {
		return exitOK, p.help(std.Out, []string{name})
	}
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) > 0 && isHelp(rest[0]) {
			rest = nil
		}
		return exitOK, p.help(std.Out, rest)
	case "version", "-version", "--version":
		_, err := fmt.Fprintln(std.Out, p.Name, version())
		return exitOK, err
	case "completion":
		return exitOK, p.completion(ctx, std, rest)
	case "manual":
		return exitOK, p.manual(std.Out)
	}
	cmd := p.find(name)
	if cmd == nil && name == "sql" {
		return exitUsage, &usageError{what: "this program has no SQL; the one in adapters/scan has it: see its README.md"}
	}
	if cmd == nil {
		return exitUsage, p.noCommand(name)
	}
	if cmd.extra != nil {
		return p.runExtra(ctx, cmd, rest, std)
	}
	o, files, err := parse(cmd, rest)
	if err != nil {
		return p.parseFault(cmd, err, std)
	}
	return p.execute(ctx, cmd, o, files, std)
}

// areFiles reports whether a command line without a command is one of files, with
// or without flags in front, and not a mistyped command.
func (p *Program) areFiles(args []string) bool {
	isFile := func(arg string) bool {
		_, err := os.Stat(arg)
		return arg == stdin || strings.ContainsAny(arg, "./*?[") || err == nil && arg != ""
	}
	switch first := args[0]; {
	case isHelp(first) || first == "-version" || first == "--version":
		return false
	case len(first) > 1 && first[0] == '-':
		return slices.ContainsFunc(args[1:], isFile)
	default:
		return isFile(first)
	}
}

// runExtra runs a command of the program's own.
func (p *Program) runExtra(ctx context.Context, cmd *command, args []string, std Streams) (int, error) {
	o := &options{}
	fs := newFlagSet(cmd)
	run := cmd.declareExtra(o, fs)
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
	if cmd.extra.Rows {
		err = p.runRows(ctx, cmd, o, call, run)
	} else {
		err = run(ctx, call)
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
func (p *Program) runRows(ctx context.Context, cmd *command, o *options, call *Call, run func(context.Context, *Call) error) error {
	if err := cmd.chooseFormat(o); err != nil {
		return UsageError(err.Error())
	}
	r, to, err := p.newReport(ctx, o, call.Streams)
	if err != nil {
		return err
	}
	if call.Rows, err = newRowWriter(r); err == nil {
		err = run(ctx, call)
	}
	if err == nil {
		err = call.Rows.Finish()
	}
	if err != nil {
		// The part of the answer before the error.
		return errors.Join(err, r.out.Flush(), to.finish(false))
	}
	return errors.Join(r.finish(), to.finish(ctx.Err() == nil))
}

// parseFault answers a command line that could not be parsed: with help, if that
// was asked for.
func (p *Program) parseFault(cmd *command, err error, std Streams) (int, error) {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK, p.help(std.Out, []string{cmd.name})
	}
	usage := &usageError{what: err.Error()}
	errors.As(err, &usage)
	usage.command, usage.what = cmp.Or(usage.command, cmd.name), cmd.name+": "+usage.what
	return exitUsage, usage
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func (p *Program) find(name string) *command {
	for _, c := range p.commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (p *Program) commandNames() []string {
	var names []string
	for _, c := range p.commands() {
		names = append(names, c.name)
	}
	for _, b := range builtins() {
		names = append(names, b.name)
	}
	return names
}
