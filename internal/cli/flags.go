package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseAnywhere parses flags before, between and behind files, which it
// returns. What follows "--" are files only.
func parseAnywhere(fs *flag.FlagSet, args []string) (files []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if done := len(args) - len(rest); len(rest) == 0 || done > 0 && args[done-1] == "--" {
			return append(files, rest...), nil
		}
		files = append(files, rest[0])
		args = rest[1:]
	}
}

// explainFlag says why a shared flag is not taken here, which is better than
// "not defined".
func explainFlag(cmd *command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !found {
		for _, before := range []string{" for flag -", "flag needs an argument: -"} {
			if front, behind, found := strings.Cut(err.Error(), before); found {
				name, _, _ := strings.Cut(behind, ":")
				return errors.New(front + strings.TrimSuffix(before, "-") + dashed(name) + behind[len(name):])
			}
		}
		return err
	}
	switch name {
	case "w", "where":
		if cmd.start != nil {
			return fmt.Errorf("%s has no meaning here", dashed(name))
		}
		return fmt.Errorf("--where chooses rows; %s shows what the file is made of, not its rows", cmd.name)
	case "c", "select", "n", "limit", "row-group":
		return fmt.Errorf("%s has no meaning here", dashed(name))
	}
	if slices.Contains(cmd.formatNames(), name) {
		return fmt.Errorf("no flag %s; did you mean --format %s?", dashed(name), name)
	}
	var known []string
	for _, f := range flagsOf(cmd) {
		known = append(known, f.names...)
	}
	digits := strings.TrimPrefix(name, "n")
	if _, err := strconv.ParseUint(digits, 10, 63); err == nil && slices.Contains(known, "n") {
		return fmt.Errorf("no flag -%s; did you mean -n %s?", name, digits)
	}
	if near := nearest(name, known); near != "" {
		return fmt.Errorf("no flag %s; did you mean %s?", dashed(name), dashed(near))
	}
	return fmt.Errorf("no flag %s", dashed(name))
}

// flagDoc is one flag under all its names, for help and completion.
type flagDoc struct {
	names    []string // short first
	argument string
	usage    string
}

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

func flagsOf(cmd *command) []flagDoc {
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
	slices.SortFunc(docs, func(a, b flagDoc) int { return strings.Compare(a.long(), b.long()) })
	return docs
}

func (f flagDoc) long() string { return f.names[len(f.names)-1] }

// text is a string flag.
type text string

func (t *text) Set(s string) error { *t = text(s); return nil }
func (t *text) String() string     { return "" }

// count is a number that is not negative.
type count int

func (c *count) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*c = count(n)
	return nil
}
func (c *count) String() string { return "" }

// rowCount is a count that may go beyond what fits an int.
type rowCount int64

func (c *rowCount) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*c = rowCount(n)
	return nil
}
func (c *rowCount) String() string { return "" }
