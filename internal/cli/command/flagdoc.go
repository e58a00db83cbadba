package command

import (
	"cmp"
	"flag"
	"slices"
	"strings"
)

// Flag is one flag under all its names, for help and completion.
type Flag struct {
	Names    []string // short first
	Argument string
	Usage    string
}

// Spelling returns the names and the argument, as help shows them.
func (f Flag) Spelling() string {
	var b strings.Builder
	for i, n := range f.Names {
		if i > 0 {
			b.WriteString(", ")
		} else if len(n) > 1 {
			b.WriteString("    ")
		}
		b.WriteString(Dashed(n))
	}
	if f.Argument != "" {
		b.WriteString(" " + strings.ToUpper(f.Argument))
	}
	return b.String()
}

// Dashed returns the name of a flag as it is typed.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// FlagsOf returns the flags of a command: those with a letter first, as most wanted, each by
// their long names.
func FlagsOf(cmd *Command) []Flag {
	fs := newFlagSet(cmd)
	cmd.declare(&Options{}, fs)
	var docs []Flag
	fs.VisitAll(func(f *flag.Flag) {
		argument, usage := flag.UnquoteUsage(f)
		for i := range docs {
			if docs[i].Usage == usage {
				docs[i].Names = append(docs[i].Names, f.Name)
				return
			}
		}
		docs = append(docs, Flag{[]string{f.Name}, argument, usage})
	})
	for _, d := range docs {
		slices.SortFunc(d.Names, func(a, b string) int { return len(a) - len(b) })
	}
	slices.SortFunc(docs, func(a, b Flag) int {
		return cmp.Or(min(len(b.Names), 2)-min(len(a.Names), 2), strings.Compare(a.Long(), b.Long()))
	})
	return docs
}

// Long returns the long name of the flag, or its only one.
func (f Flag) Long() string { return f.Names[len(f.Names)-1] }
