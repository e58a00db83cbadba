package cli

import (
	"bytes"
	"io"
	"strings"
)

// manual writes the manual page, in the language of man, from the help of the commands.
func (p *Program) manual(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(".TH " + strings.ToUpper(roff(p.Name)) + " 1\n.SH NAME\n" + roff(p.Name) + ` \- print and explain Parquet files` + "\n.SH SYNOPSIS\n.nf\n")
	b.WriteString(roff(p.Name) + " FILE...\n" + roff(p.Name) + " COMMAND [FLAGS] FILE...\n.fi\n.SH DESCRIPTION\n.nf\n")
	var overview bytes.Buffer
	if err := p.overview(&overview); err != nil {
		return err
	}
	b.WriteString(roff(overview.String()) + ".fi\n.SH COMMANDS\n")
	for _, c := range p.commands() {
		var text bytes.Buffer
		if err := p.help(&text, []string{c.name}); err != nil {
			return err
		}
		b.WriteString(".SS " + roff(c.name) + "\n.nf\n" + roff(text.String()) + ".fi\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// roff returns text that man prints as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "")
}
