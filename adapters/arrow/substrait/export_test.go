package substrait

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Missing returns the functions of the table that are not in met.
func Missing(met map[string]bool) (missing []string) {
	for name := range functions {
		if !met[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// Table returns the functions as a table of Markdown, by the types that they take.
func Table() string {
	names := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		of := cmp.Or(functions[name].of, "all")
		names[of] = append(names[of], "`"+name+"`")
	}
	lines := []string{"| Functions | of |", "|---|---|"}
	for _, of := range slices.Sorted(maps.Keys(names)) {
		lines = append(lines, "| "+strings.Join(names[of], ", ")+" | "+of+" |")
	}
	return strings.Join(lines, "\n")
}
