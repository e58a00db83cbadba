package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// overview writes what the program is, and its commands.
func (p *Program) overview(w io.Writer) error {
	var text bytes.Buffer
	text.WriteString(wrap(p.Name + " prints the rows of Parquet files, and shows what they are made of, down to the byte."))
	fmt.Fprintf(&text, "\nUsage: %s FILE...                     the first rows of each\n       %[1]s COMMAND [FLAGS] FILE...\n\n", p.Name)
	for _, c := range p.commands() {
		text.WriteString(helpLine(c.name, 11, c.summary))
	}
	text.WriteByte('\n')
	for _, b := range builtins() {
		text.WriteString(helpLine(b.name, 11, b.summary))
	}
	more := "FILE may be a folder, or a pattern: data/*.parquet, 'data/**/*.parquet'; - is standard input."
	if len(p.Schemes) > 0 {
		var prefixes []string
		for _, s := range p.Schemes {
			prefixes = append(prefixes, s.Name+"://")
		}
		more += " It may start with " + strings.Join(prefixes, ", ") + "."
	}
	text.WriteString("\n" + wrap(more+`

`+p.Name+` help where has the grammar of --where on one page.

Exit codes: 0 all is well, 1 a file is bad or the answer cannot be written, 2 wrong usage;
129, 130 and 143 ended by SIGHUP, SIGINT or SIGTERM.`))
	_, err := w.Write(text.Bytes())
	return err
}

// help explains the command that args name.
func (p *Program) help(w io.Writer, args []string) error {
	if len(args) == 0 {
		return p.overview(w)
	}
	if len(args) > 1 {
		return &usageError{what: "help explains one command at a time"}
	}
	for _, b := range builtins() {
		if b.name == args[0] {
			_, err := fmt.Fprintf(w, "%s\n\nUsage: %s\n", sentence(b.summary), strings.TrimSpace(p.Name+" "+b.name+" "+b.args))
			return err
		}
	}
	cmd := p.find(args[0])
	if cmd == nil && args[0] == "where" {
		return p.helpWhere(w)
	}
	if cmd == nil {
		return p.noCommand(args[0])
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\nUsage: %s %s [FLAGS] %s\n\n", wrap(sentence(cmd.summary)), p.Name, cmd.name, cmd.args)
	for _, f := range flagsOf(cmd) {
		text.WriteString(helpLine(f.spelling(), 23, f.usage))
	}
	if cmd.detail != "" {
		text.WriteString("\n" + wrap(cmd.detail))
	}
	for i, example := range cmd.examples {
		if i == 0 {
			text.WriteString("\nExamples:\n")
		}
		fmt.Fprintf(&text, "  %s %s\n", p.Name, example)
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
