package guide

import "strings"

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
