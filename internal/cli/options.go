package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// takes says which of the shared flags a command knows.
type takes uint

const (
	takesSelect takes = 1 << iota
	takesWhere
	takesLimit
	takesRowGroup
	takesRows // writes rows of data, which -n counts
)

// options are the flags of one command line. Those with a short form mean the
// same in every command.
type options struct {
	columns selection // -c, --select
	where   where     // -w, --where
	limit   int64     // -n, --limit; negative for all
	output  string    // -o, --output; "" for standard output
	format  string    // --format; "" for what suits the output

	rowGroup   int    // --row-group; negative for all
	page       int    // dump: --page; negative if not given
	dictionary bool   // dump: --page dict
	test       string // bloom: --test
	testSet    bool

	offset int64  // cat: --offset
	unnest string // cat, head, sample: --unnest
	sample int64  // sample: N
	seed   uint64 // sample: --seed
	seeded bool
	column string // min, max: COLUMN

	analyze bool // explain: --analyze
}

// formats are the forms of an answer, that for people first. Those of rowFormats are for rows of data.
var (
	formats    = [...]string{"table", "json", "jsonl"}
	rowFormats = [...]string{"table", "json", "jsonl", "csv", "tsv"}
)

func (c *command) formats() []string {
	if c.takes&takesRows != 0 {
		return rowFormats[:]
	}
	return formats[:]
}

// fileFormats are those that the ending of a file's name may stand for.
func (c *command) fileFormats() []string { return c.formats()[1:] }

// declare adds the flags of cmd to fs.
func declare(cmd *command, o *options, fs *flag.FlagSet) {
	if cmd.takes&takesSelect != 0 {
		both(fs, "c", "select", &o.columns, "`columns` to show: a,b.c,\"odd, name\"; a group stands for all within")
	}
	if cmd.takes&takesWhere != 0 {
		both(fs, "w", "where", &o.where, "`condition` that rows must meet, as in SQL")
	}
	if cmd.takes&takesLimit != 0 {
		what := "lines of each table"
		if cmd.takes&takesRows != 0 {
			what = "rows"
		}
		both(fs, "n", "limit", (*rowCount)(&o.limit), "show at most this `number` of "+what)
	}
	if cmd.takes&takesRowGroup != 0 {
		fs.Var((*count)(&o.rowGroup), "row-group", "only the row group of this `number`, from 0")
	}
	both(fs, "o", "output", (*text)(&o.output), "write to this `file`, unless anything fails; ."+strings.Join(cmd.fileFormats(), ", .")+" choose the form")
	fs.Var((*text)(&o.format), "format", "`form` of the answer, whatever the ending of -o: "+strings.Join(cmd.formats(), ", "))
	if cmd.flags != nil {
		cmd.flags(o, fs)
	}
}

// both declares a flag under its short and its long name.
func both(fs *flag.FlagSet, short, long string, v flag.Value, usage string) {
	fs.Var(v, short, usage)
	fs.Var(v, long, usage)
}

// parse reads the flags and files that follow the command's name.
func parse(cmd *command, args []string) (*options, []string, error) {
	o := &options{limit: -1, rowGroup: -1, page: -1}
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	declare(cmd, o, fs)
	files, err := parseAnywhere(fs, args)
	if err != nil {
		return nil, nil, explainFlag(cmd, err)
	}
	if err := o.where.parse(); err != nil {
		return nil, nil, err
	}
	if known := cmd.formats(); o.format != "" && !slices.Contains(known, o.format) {
		return nil, nil, fmt.Errorf("no format %q, only %s", o.format, strings.Join(known, ", "))
	}
	if o.format == "" && o.output != "" {
		if o.format, err = cmd.formatOf(o.output); err != nil {
			return nil, nil, err
		}
	}
	if cmd.arguments != nil {
		if files, err = cmd.arguments(o, files); err != nil {
			return nil, nil, err
		}
	}
	if len(files) == 0 {
		return nil, nil, errors.New("which file?")
	}
	return o, files, nil
}

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
	if slices.Contains(cmd.formats(), name) {
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
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	declare(cmd, &options{}, fs)
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

// nearest returns the known word that a mistyped one is likely to mean, or "".
func nearest(word string, known []string) string {
	word = strings.ToLower(word)
	if len(word) >= 2 {
		for _, k := range known {
			if strings.HasPrefix(strings.ToLower(k), word) {
				return k
			}
		}
	}
	best, bestDistance := "", min(1+len(word)/3, len(word)-1)
	for _, k := range known {
		if max(len(k)-len(word), len(word)-len(k)) > bestDistance {
			continue // names in files may be very long
		}
		if d := editDistance(word, strings.ToLower(k)); d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance counts the letters to add, drop, change or swap with a
// neighbour to get from a to b.
func editDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
