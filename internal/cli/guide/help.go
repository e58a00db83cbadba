package guide

import (
	"fmt"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
)

// Overview returns what the program is, and its commands.
func Overview(t *command.Table) string {
	var text strings.Builder
	text.WriteString(wrap(t.Program + " prints the rows of Parquet files, and shows what they are made of, down to the byte."))
	fmt.Fprintf(&text, "\nUsage: %s FILE...                     the first rows of each\n       %[1]s COMMAND [FLAGS] FILE...\n\n", t.Program)
	for i, c := range t.Rows {
		if c.Print != nil && t.Rows[i-1].Print == nil {
			text.WriteByte('\n')
		}
		text.WriteString(helpLine(c.Name, 11, c.Summary))
	}
	more := "FILE may be a folder, or a pattern: data/*.parquet, 'data/**/*.parquet'; - is standard input."
	if len(t.Schemes) > 0 {
		var prefixes []string
		for _, s := range t.Schemes {
			prefixes = append(prefixes, s.Name+"://")
		}
		more += " It may start with " + strings.Join(prefixes, ", ") + "."
	}
	text.WriteString("\n" + wrap(more+`

`+t.Program+` help where has the grammar of --where on one page.

Exit codes: 0 all is well, 1 a file is bad or the answer cannot be written, 2 wrong usage;
129, 130 and 143 ended by SIGHUP, SIGINT or SIGTERM.`))
	return text.String()
}

// Explain returns the explanation of the command that args name.
func Explain(t *command.Table, args []string) (string, error) {
	if len(args) == 0 {
		return Overview(t), nil
	}
	cmd := t.Find(args[0])
	switch {
	case len(args) > 1:
		return "", &fault.UsageError{What: "help explains one command at a time"}
	case cmd != nil:
		return help(t, cmd), nil
	case args[0] == "where":
		return whereGrammar + "\nExamples\n  " + strings.Join(whereExamples, "\n  ") + "\n", nil
	}
	return "", t.NoCommand(args[0])
}

// help returns what is to be said of a command.
func help(t *command.Table, cmd *command.Command) string {
	var text strings.Builder
	flags, usage := command.FlagsOf(cmd), []string{t.Program, cmd.Name}
	if len(flags) > 0 {
		usage = append(usage, "[FLAGS]")
	}
	fmt.Fprintf(&text, "%s\nUsage: %s\n", wrap(sentence(cmd.Summary)), strings.TrimSpace(strings.Join(append(usage, cmd.Args), " ")))
	for i, f := range flags {
		if i == 0 {
			text.WriteByte('\n')
		}
		text.WriteString(helpLine(f.Spelling(), 23, f.Usage))
	}
	if cmd.Detail != "" {
		text.WriteString("\n" + wrap(cmd.Detail))
	}
	for i, example := range cmd.Examples {
		if i == 0 {
			text.WriteString("\nExamples:\n")
		}
		fmt.Fprintf(&text, "  %s %s\n", t.Program, example)
	}
	return text.String()
}

// helpLine is a name with an explanation in the column behind it.
func helpLine(name string, width int, text string) string {
	var b strings.Builder
	fill(&b, fmt.Sprintf("  %-*s ", width, name), width+3, strings.Fields(text))
	return b.String()
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// Manual returns the manual page, in the language of man, from the help of the commands.
func Manual(t *command.Table) string {
	var b strings.Builder
	b.WriteString(".TH " + strings.ToUpper(roff(t.Program)) + " 1\n.SH NAME\n" + roff(t.Program) + ` \- print and explain Parquet files` + "\n.SH SYNOPSIS\n.nf\n")
	b.WriteString(roff(t.Program) + " FILE...\n" + roff(t.Program) + " COMMAND [FLAGS] FILE...\n.fi\n.SH DESCRIPTION\n.nf\n")
	b.WriteString(roff(Overview(t)) + ".fi\n.SH COMMANDS\n")
	for _, c := range t.Rows {
		if c.Print == nil {
			b.WriteString(".SS " + roff(c.Name) + "\n.nf\n" + roff(help(t, c)) + ".fi\n")
		}
	}
	return b.String()
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

// helpWidth is the width of help, for terminals as they open.
const helpWidth = 80

// wrap fills paragraphs of text anew for helpWidth. Lines that start with spaces
// are a list: those indented deeper than the first of them go on with its entry,
// below its second column if it has one.
//
//	JSON records, by kind:
//	  file       file, size, footer_size
//	  row_group  file, row_group, rows,
//	             columns
func wrap(text string) string {
	var out strings.Builder
	var words []string
	lead, hanging := "", 0
	flush := func() {
		if len(words) > 0 {
			fill(&out, lead, hanging, words)
		}
		words, lead, hanging = nil, "", 0
	}
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		line = strings.TrimRight(line, " \n")
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		switch {
		case line == "":
			flush()
			out.WriteByte('\n')
			continue
		case indent == 0 && hanging > 0, indent > 0 && indent < max(hanging, 1), indent > 0 && hanging == 0:
			flush()
			if lead = line[:indent]; indent > 0 {
				hanging = indent + 2
			}
			if first, second, ok := strings.Cut(rest, "  "); ok {
				second = strings.TrimLeft(second, " ")
				hanging = len(line) - len(second)
				lead, rest = line[:indent]+first+strings.Repeat(" ", hanging-indent-len(first)), second
			}
		}
		words = append(words, strings.Fields(rest)...)
	}
	flush()
	return out.String()
}

// fill writes words in lines of at most helpWidth, the first one behind lead, the
// others behind spaces.
func fill(out *strings.Builder, lead string, hanging int, words []string) {
	width := len([]rune(lead))
	out.WriteString(lead)
	for i, w := range words {
		n := len([]rune(w))
		switch {
		case i == 0:
		case width+1+n > helpWidth:
			out.WriteString("\n" + strings.Repeat(" ", hanging))
			width = hanging
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(w)
		width += n
	}
	out.WriteByte('\n')
}
