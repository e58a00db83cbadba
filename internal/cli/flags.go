package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseAnywhere parses flags that stand before, between and after other
// arguments, and returns these. After "--" there are no flags.
func parseAnywhere(cmd *Command, fs *flag.FlagSet, args []string) (others []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			rest := fs.Args() // what stands behind the flag with the fault
			if !strings.HasPrefix(err.Error(), undefinedFlag) || !cmd.abbreviated(fs, args[len(args)-len(rest)-1]) {
				return nil, err
			}
			args = rest
			continue
		}
		rest := fs.Args()
		if parsed := len(args) - len(rest); len(rest) == 0 || parsed > 0 && args[parsed-1] == "--" {
			return append(others, rest...), nil
		}
		others = append(others, rest[0])
		args = rest[1:]
	}
}

// undefinedFlag begins package flag's error for a flag that is not declared. Its
// name follows, and in the arguments it is the last that was taken.
const undefinedFlag = "flag provided but not defined: -"

// abbreviated sets the flag that an argument is short for, if it is: -5 and -n5
// for -n 5, as head of Unix takes them, and --csv for --format csv.
func (cmd *Command) abbreviated(fs *flag.FlagSet, arg string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if slices.Contains(formatNames(cmd.formats), name) {
		return fs.Set("format", name) == nil
	}
	digits := strings.TrimPrefix(name, "n")
	_, err := strconv.ParseUint(digits, 10, 63)
	return err == nil && !strings.HasPrefix(arg, "--") && fs.Lookup("n") != nil && fs.Set("n", digits) == nil
}

// explainFlag rewrites an error of package flag. It says why a shared flag has no
// meaning for a command, or which flag may have been meant.
func explainFlag(cmd *Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), undefinedFlag)
	if !unknown {
		for _, before := range []string{" for flag -", "flag needs an argument: -"} {
			if front, behind, found := strings.Cut(err.Error(), before); found {
				name, _, _ := strings.Cut(behind, ":")
				return errors.New(front + strings.TrimSuffix(before, "-") + dashed(name) + behind[len(name):])
			}
		}
		return err
	}
	if why := cmd.whyNoFlag(name); why != "" {
		return errors.New(why)
	}
	var known []string
	for _, f := range flagsOf(cmd) {
		known = append(known, f.names...)
	}
	near := flagOfOthers(name)
	if !slices.Contains(known, near) {
		near = nearest(name, known)
	}
	if near != "" {
		return fmt.Errorf("no flag %s; did you mean %s?", dashed(name), dashed(near))
	}
	return fmt.Errorf("no flag %s", dashed(name))
}

// whyNoFlag returns why a flag that other commands share is none of this one; ""
// for other flags.
func (cmd *Command) whyNoFlag(name string) string {
	if cmd.Prepare != nil {
		return ""
	}
	switch name {
	case "w", "where":
		if cmd.layout {
			return "--where chooses rows; " + cmd.Name + " shows what the file is made of, not its rows"
		}
		return dashed(name) + " has no meaning here"
	case "c", "select", "n", "limit", "row-group":
		return dashed(name) + " has no meaning here"
	}
	return ""
}

// flagDoc is one flag under all its names, for help and completion.
type flagDoc struct {
	names    []string // short first
	argument string
	usage    string
}

// spelling returns the names and the argument, as help shows them.
func (f flagDoc) spelling() string {
	var b strings.Builder
	for i, n := range f.names {
		if i > 0 {
			b.WriteString(", ")
		} else if len(n) > 1 {
			b.WriteString("    ")
		}
		b.WriteString(dashed(n))
	}
	if f.argument != "" {
		b.WriteString(" " + strings.ToUpper(f.argument))
	}
	return b.String()
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// flagsOf returns the flags of a command: those with a letter first, as most wanted, each by
// their long names.
func flagsOf(cmd *Command) []flagDoc {
	fs := newFlagSet(cmd)
	cmd.declare(&options{}, fs)
	var docs []flagDoc
	fs.VisitAll(func(f *flag.Flag) {
		argument, usage := flag.UnquoteUsage(f)
		for i := range docs {
			if docs[i].usage == usage {
				docs[i].names = append(docs[i].names, f.Name)
				return
			}
		}
		docs = append(docs, flagDoc{[]string{f.Name}, argument, usage})
	})
	for _, d := range docs {
		slices.SortFunc(d.names, func(a, b string) int { return len(a) - len(b) })
	}
	slices.SortFunc(docs, func(a, b flagDoc) int {
		return cmp.Or(min(len(b.names), 2)-min(len(a.names), 2), strings.Compare(a.long(), b.long()))
	})
	return docs
}

func (f flagDoc) long() string { return f.names[len(f.names)-1] }

// intFlag is a number from 0 on.
type intFlag int

func (f *intFlag) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*f = intFlag(n)
	return nil
}
func (f *intFlag) String() string { return "" }

// int64Flag is a number of rows from 0 on.
type int64Flag int64

func (f *int64Flag) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*f = int64Flag(n)
	return nil
}
func (f *int64Flag) String() string { return "" }
