package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

// Table is the commands of a program, those that read no file last.
type Table struct {
	Program string
	Schemes []input.Scheme
	Formats []output.Format // of rows
	Rows    []*Command
}

// Find returns the command of a name, nil if there is none.
func (t *Table) Find(name string) *Command {
	if i := slices.Index(t.Names(), name); i >= 0 {
		return t.Rows[i]
	}
	return nil
}

// Names returns the names of all commands.
func (t *Table) Names() (names []string) {
	for _, c := range t.Rows {
		names = append(names, c.Name)
	}
	return names
}

// NoCommand is the error for the name of a command that is none.
func (t *Table) NoCommand(name string) error {
	if ours := ourWord(commandsOfOthers, name); ours != "" && t.Find(ours) != nil {
		return &fault.UsageError{What: fmt.Sprintf("no command %q; here it is %q", name, ours), Command: ours}
	}
	return fault.Unknown("command", name, t.Names())
}

// commandsOfOthers are what other programs for Parquet files call our commands.
var commandsOfOthers = map[string]string{
	"cat":      "show print query select csv json to-json to-csv convert export",
	"count":    "rowcount row-count wc rows",
	"describe": "stats statistics summarize summary profile",
	"meta":     "metadata footer info inspect rowgroups row-groups",
	"verify":   "check validate checksum check-stats",
	"index":    "column-index offset-index",
	"bloom":    "bloom-filter",
	"size":     "column-size du",
	"schema":   "types columns structure",
	"serve":    "ui web browse",
}

// flagsOfOthers are what they call our flags.
var flagsOfOthers = map[string]string{
	"select":   "columns column fields project",
	"where":    "filter condition predicate",
	"limit":    "rows head count records num max",
	"order-by": "sort sort-by orderby",
	"offset":   "skip",
	"output":   "out file",
	"vertical": "transpose line expanded",
}

// ourWord returns which of our words others call name, or "".
func ourWord(others map[string]string, name string) string {
	for ours, theirs := range others {
		if slices.Contains(strings.Fields(theirs), strings.ToLower(name)) {
			return ours
		}
	}
	return ""
}
