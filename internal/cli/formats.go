package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// formats returns the forms that a command can give its answer, the one for
// people first.
func (p *Program) formats(t takes) []Format {
	all := []Format{{Name: "table"}, {Name: "json", Endings: []string{"json"}}, {Name: "jsonl", Endings: []string{"jsonl"}}}
	if t&takesRows != 0 {
		all = append(all, Format{Name: "csv", Endings: []string{"csv"}}, Format{Name: "tsv", Endings: []string{"tsv"}})
		all = append(all, p.Formats...)
	}
	return all
}

func (c *command) formatNames() []string {
	var names []string
	for _, f := range c.formats {
		names = append(names, f.Name)
	}
	return names
}

// endings returns the endings of the names of output files that stand for formats.
func (c *command) endings() []string {
	var all []string
	for _, f := range c.formats {
		all = append(all, f.Endings...)
	}
	return all
}

// formatOf returns the format that the ending of an output file's name stands
// for: "" for a name without one, and for pipes and devices with another.
func (c *command) formatOf(output string) (string, error) {
	ending := filepath.Ext(strings.TrimLeft(filepath.Base(output), "."))
	if len(ending) < 2 {
		return "", nil
	}
	for _, f := range c.formats {
		if slices.Contains(f.Endings, strings.ToLower(ending[1:])) {
			return f.Name, nil
		}
	}
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	if c.takes&takesRows != 0 && strings.EqualFold(ending, ".parquet") {
		return "", fmt.Errorf("-o %s: this program writes no Parquet; the one in adapters/scan does: see its README.md", shortName(output))
	}
	return "", fmt.Errorf("-o %s: there is no format for the ending %s, only for .%s; with --format it may be any", shortName(output), ending, strings.Join(c.endings(), ", ."))
}
