package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// command is one line of the table of commands.
type command struct {
	name    string
	args    string // what follows the flags in the usage line
	summary string
	detail  string // the rest of its help
	takes   takes  // the shared flags that mean something here

	// flags declares the flags that only this command has.
	flags func(o *options, fs *flag.FlagSet)
	// arguments takes from what follows the flags what is no file.
	arguments func(o *options, args []string) (files []string, err error)

	// file writes what the command has to say about one file. A command whose
	// answer is more than that of each file has start in its place.
	file  func(ctx context.Context, f *input, o *options, r *report) error
	start func(ctx context.Context, o *options, files []string, r *report) (*task, error)
	none  func(name string, o *options, r *report) error // in place of file, where no row can pass; nil: nothing to say
}

// task is a command at work.
type task struct {
	file   func(ctx context.Context, f *input) error
	none   func(name string) error // called for a file that is not opened, since no row passes; nil for nothing
	enough func() bool             // whether no further file is needed; nil for never
	end    func() error            // what comes behind the last file; nil for nothing
}

// begin returns the task of one command line.
func (c *command) begin(ctx context.Context, o *options, files []string, r *report) (*task, error) {
	if c.start != nil {
		return c.start(ctx, o, files, r)
	}
	first := true
	next := func() {
		if r.tables() && !first {
			r.blank()
		}
		first = false
	}
	t := &task{file: func(ctx context.Context, f *input) error {
		next()
		return c.file(ctx, f, o, r)
	}}
	if c.none != nil {
		t.none = func(name string) error {
			next()
			return c.none(name, o, r)
		}
	}
	return t, nil
}

// commands returns the table. It is a function because help shows the table
// that it stands in.
func commands() []*command {
	return []*command{
		catCommand(), headCommand(), sampleCommand(), countCommand(), minCommand(), maxCommand(), explainCommand(),
		schemaCommand(), metaCommand(), pagesCommand(), indexCommand(), bloomCommand(), dumpCommand(),
	}
}

// builtins are the commands that read no file.
var builtins = [...]struct{ name, args, summary string }{
	{"help", "[COMMAND]", "explain a command"},
	{"version", "", "print the version of this program"},
	{"completion", "bash|zsh|fish", "print a script that completes commands, flags and files"},
}

func dispatch(ctx context.Context, args []string, stdout, stderr *os.File) (int, error) {
	if len(args) == 0 {
		return exitUsage, overview(stderr)
	}
	name, rest := args[0], args[1:]
	if len(rest) > 0 && isHelp(rest[0]) && name != "help" && find(name) == nil {
		return exitOK, help(stdout, []string{name})
	}
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) > 0 && isHelp(rest[0]) {
			rest = nil
		}
		return exitOK, help(stdout, rest)
	case "version", "-version", "--version":
		_, err := fmt.Fprintln(stdout, "scan", version())
		return exitOK, err
	case "completion":
		return exitOK, completion(stdout, rest)
	}
	cmd := find(name)
	if cmd == nil {
		return exitUsage, unknown("command", name, commandNames())
	}
	o, files, err := parse(cmd, rest)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK, help(stdout, []string{name})
	}
	if err != nil {
		usage := &usageError{what: err.Error()}
		errors.As(err, &usage)
		usage.command, usage.what = name, name+": "+usage.what
		return exitUsage, usage
	}
	return each(ctx, cmd, o, files, stdout, stderr)
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return names
}

// unknown says that there is no such thing, and what may have been meant.
func unknown(kind, name string, known []string) error {
	what := fmt.Sprintf("no %s %q", kind, name)
	if near := nearest(name, known); near != "" {
		what += fmt.Sprintf("; did you mean %q?", near)
	}
	return &usageError{what: what}
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func overview(w io.Writer) error {
	var text bytes.Buffer
	text.WriteString("scan prints the rows of Parquet files, and shows what they are made of, down to the byte.\n\nUsage: scan COMMAND [FLAGS] FILE...\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&text, "  %-11s %s\n", c.name, c.summary)
	}
	text.WriteByte('\n')
	for _, b := range builtins {
		fmt.Fprintf(&text, "  %-11s %s\n", b.name, b.summary)
	}
	text.WriteString(`
FILE may be a pattern: data/*.parquet, 'data/**/*.parquet'; - is standard input.
Exit codes: 0 all is well, 1 a file is bad or the answer cannot be written, 2 wrong usage;
129, 130 and 143 ended by SIGHUP, SIGINT or SIGTERM.
`)
	_, err := w.Write(text.Bytes())
	return err
}

func help(w io.Writer, args []string) error {
	if len(args) == 0 {
		return overview(w)
	}
	if len(args) > 1 {
		return &usageError{what: "help explains one command at a time"}
	}
	for _, b := range builtins {
		if b.name == args[0] {
			_, err := fmt.Fprintf(w, "%s\n\nUsage: %s\n", sentence(b.summary), strings.TrimSpace("scan "+b.name+" "+b.args))
			return err
		}
	}
	cmd := find(args[0])
	if cmd == nil {
		return unknown("command", args[0], commandNames())
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\n\nUsage: scan %s [FLAGS] %s\n\n", sentence(cmd.summary), cmd.name, cmd.args)
	for _, f := range flagsOf(cmd) {
		fmt.Fprintf(&text, "  %-25s %s\n", f.spelling(), f.usage)
	}
	if cmd.detail != "" {
		fmt.Fprintf(&text, "\n%s\n", strings.TrimSpace(cmd.detail))
	}
	_, err := w.Write(text.Bytes())
	return err
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
