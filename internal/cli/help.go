package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// overview writes what the program is, and its commands.
func overview(w io.Writer, t *commandTable) error {
	var text bytes.Buffer
	text.WriteString(wrap(t.program + " prints the rows of Parquet files, and shows what they are made of, down to the byte."))
	fmt.Fprintf(&text, "\nUsage: %s FILE...                     the first rows of each\n       %[1]s COMMAND [FLAGS] FILE...\n\n", t.program)
	for i, c := range t.rows {
		if c.print != nil && t.rows[i-1].print == nil {
			text.WriteByte('\n')
		}
		text.WriteString(helpLine(c.Name, 11, c.Summary))
	}
	more := "FILE may be a folder, or a pattern: data/*.parquet, 'data/**/*.parquet'; - is standard input."
	if len(t.schemes) > 0 {
		var prefixes []string
		for _, s := range t.schemes {
			prefixes = append(prefixes, s.Name+"://")
		}
		more += " It may start with " + strings.Join(prefixes, ", ") + "."
	}
	text.WriteString("\n" + wrap(more+`

`+t.program+` help where has the grammar of --where on one page.

Exit codes: 0 all is well, 1 a file is bad or the answer cannot be written, 2 wrong usage;
129, 130 and 143 ended by SIGHUP, SIGINT or SIGTERM.`))
	_, err := w.Write(text.Bytes())
	return err
}

// explainCommands explains the command that args name.
func explainCommands(w io.Writer, t *commandTable, args []string) error {
	if len(args) == 0 {
		return overview(w, t)
	}
	if len(args) > 1 {
		return &usageError{what: "help explains one command at a time"}
	}
	cmd := t.find(args[0])
	if cmd == nil && args[0] == "where" {
		return writeGrammar(w)
	}
	if cmd == nil {
		return t.noCommand(args[0])
	}
	var text bytes.Buffer
	flags, usage := flagsOf(cmd), []string{t.program, cmd.Name}
	if len(flags) > 0 {
		usage = append(usage, "[FLAGS]")
	}
	fmt.Fprintf(&text, "%s\nUsage: %s\n", wrap(sentence(cmd.Summary)), strings.TrimSpace(strings.Join(append(usage, cmd.Args), " ")))
	for i, f := range flags {
		if i == 0 {
			text.WriteByte('\n')
		}
		text.WriteString(helpLine(f.spelling(), 23, f.usage))
	}
	if cmd.Detail != "" {
		text.WriteString("\n" + wrap(cmd.Detail))
	}
	for i, example := range cmd.Examples {
		if i == 0 {
			text.WriteString("\nExamples:\n")
		}
		fmt.Fprintf(&text, "  %s %s\n", t.program, example)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// helpLine is a name with an explanation in the column behind it.
func helpLine(name string, width int, text string) string {
	var b strings.Builder
	fill(&b, fmt.Sprintf("  %-*s ", width, name), width+3, strings.Fields(text))
	return b.String()
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
