package lint

import (
	"path"
	"regexp"
	"strings"
)

// DocumentsFile lists how the commands that documents show are run.
const DocumentsFile = ".ci/documents"

// shownCommand is a command line that a document shows.
type shownCommand struct{ document, text string }

var (
	// programs begin a line that is a command, in blocks of any kind, perhaps behind a prompt and variables.
	programs = regexp.MustCompile(`^(?:\$ )?(?:\w+=\S+ )*(?:go|scan|bash|sh|python3?|pip|cargo|git|docker|apt-get|mvn|benchstat|bench|cd|for) `)
	// inlineCommand finds commands in a paragraph, which may be broken at the ends of lines. What
	// is said of scan there is held to its help by internal/cli.
	inlineCommand = regexp.MustCompile("`((?:go|bash|python3?|pip|cargo|git|docker|apt-get|mvn)\\s[^`]+)`")
	blanks        = regexp.MustCompile(`\s+`)
)

// shownCommands returns the command lines of a document: each line of its blocks in sh, those of
// blocks without a language that begin with a program, and those in a paragraph.
func shownCommands(f *File) (shown []shownCommand) {
	add := func(text string) {
		if text = strings.TrimSpace(blanks.ReplaceAllString(text, " ")); text != "" {
			shown = append(shown, shownCommand{f.Path, text})
		}
	}
	for i, part := range strings.Split("\n"+f.Text, "\n```") {
		language, block, _ := strings.Cut(part, "\n")
		switch {
		case i%2 == 0:
			for _, c := range inlineCommand.FindAllStringSubmatch(block, -1) {
				add(c[1])
			}
		case language == "sh":
			for line := range strings.Lines(strings.ReplaceAll(block, "|\n  ", "| ")) {
				command, _, _ := strings.Cut(line, " #") // what follows is a comment
				add(command)
			}
		case language == "":
			for line := range strings.Lines(block) {
				if programs.MatchString(line) {
					command, _, _ := strings.Cut(line, "  ") // what follows explains it
					add(command)
				}
			}
		}
	}
	return shown
}

// way is how the commands of a document that it matches are run.
type way struct {
	document, command string // the command may end in a star, for all that begin so
	how               string
	used              bool
}

func (w *way) matches(c shownCommand) bool {
	front, all := strings.CutSuffix(w.command, "*")
	return w.document == c.document && (w.command == c.text || all && strings.HasPrefix(c.text, front))
}

// parseWays reads the list: the name of a document, and below it a line for each command.
func parseWays(text string) (ways []*way, faults []string) {
	document := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		command, how, found := strings.Cut(strings.TrimPrefix(line, "\t"), " => ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			document = line
		case !found:
			faults = append(faults, DocumentsFile+": "+line+": does not say how")
		default:
			ways = append(ways, &way{document: document, command: command, how: how})
		}
	}
	return ways, faults
}

// CommandsRun reports commands in documents that nothing runs, and for which no reason stands in
// the list. A star is not for what runs one command only.
func CommandsRun(t *Tree) (faults []string) {
	ways, faults := parseWays(t.text(DocumentsFile))
	for _, f := range t.Files {
		if path.Ext(f.Path) != ".md" || f.Path == "docs/CHANGELOG.md" {
			continue
		}
	commands:
		for _, c := range shownCommands(f) {
			for _, w := range ways {
				if w.matches(c) {
					w.used = true
					continue commands
				}
			}
			faults = append(faults, c.document+": "+c.text+": is not in "+DocumentsFile)
		}
	}
	for _, w := range ways {
		if fault := w.fault(t); fault != "" {
			faults = append(faults, DocumentsFile+": "+w.document+": "+w.command+": "+fault)
		}
	}
	return faults
}

// fault returns what is wrong with a line of the list.
func (w *way) fault(t *Tree) string {
	kind, rest, _ := strings.Cut(w.how, " ")
	file, text, _ := strings.Cut(rest, ": ")
	switch {
	case !w.used:
		return "no longer there"
	case kind == "run" && strings.HasSuffix(w.command, "*"):
		return "a star needs what runs all such commands"
	case kind == "run" && rest != "", kind == "because" && len(strings.Fields(rest)) > 2:
		return ""
	case kind == "in" && text != "" && file != DocumentsFile && strings.Contains(t.text(file), text):
		return ""
	case kind == "in":
		return "no " + text + " in " + file
	}
	return "want run COMMAND, in FILE: TEXT, or because REASON, not " + w.how
}
