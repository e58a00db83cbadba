package guide

import (
	"bytes"
	"io"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
)

// Manual writes the manual page, in the language of man, from the help of the commands.
func Manual(w io.Writer, t *command.Table) error {
	var b bytes.Buffer
	b.WriteString(".TH " + strings.ToUpper(roff(t.Program)) + " 1\n.SH NAME\n" + roff(t.Program) + ` \- print and explain Parquet files` + "\n.SH SYNOPSIS\n.nf\n")
	b.WriteString(roff(t.Program) + " FILE...\n" + roff(t.Program) + " COMMAND [FLAGS] FILE...\n.fi\n.SH DESCRIPTION\n.nf\n")
	var summary bytes.Buffer
	if err := Overview(&summary, t); err != nil {
		return err
	}
	b.WriteString(roff(summary.String()) + ".fi\n.SH COMMANDS\n")
	for _, c := range t.Rows {
		if c.Print != nil {
			continue
		}
		var text bytes.Buffer
		if err := Explain(&text, t, []string{c.Name}); err != nil {
			return err
		}
		b.WriteString(".SS " + roff(c.Name) + "\n.nf\n" + roff(text.String()) + ".fi\n")
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
