package command

import (
	"fmt"
	"slices"

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
	if ours := commandOfOthers(name); ours != "" && t.Find(ours) != nil {
		return &fault.UsageError{What: fmt.Sprintf("no command %q; here it is %q", name, ours), Command: ours}
	}
	return fault.Unknown("command", name, t.Names())
}
