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
	fmt.Fprintf(&text, "%s prints the rows of Parquet files, and shows what they are made of, down to the byte.\n\nUsage: %[1]s COMMAND [FLAGS] FILE...\n\n", p.Name)
	for _, c := range p.commands() {
		fmt.Fprintf(&text, "  %-11s %s\n", c.name, c.summary)
	}
	text.WriteByte('\n')
	for _, b := range builtins() {
		fmt.Fprintf(&text, "  %-11s %s\n", b.name, b.summary)
	}
	text.WriteString(`
FILE may be a pattern: data/*.parquet, 'data/**/*.parquet'; - is standard input.
`)
	if len(p.Schemes) > 0 {
		var prefixes []string
		for _, s := range p.Schemes {
			prefixes = append(prefixes, s.Name+"://")
		}
		fmt.Fprintf(&text, "It may start with %s.\n", strings.Join(prefixes, ", "))
	}
	text.WriteString(`Exit codes: 0 all is well, 1 a file is bad or the answer cannot be written, 2 wrong usage;
129, 130 and 143 ended by SIGHUP, SIGINT or SIGTERM.
`)
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
	if cmd == nil {
		return unknown("command", args[0], p.commandNames())
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s\n\nUsage: %s %s [FLAGS] %s\n\n", sentence(cmd.summary), p.Name, cmd.name, cmd.args)
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
