package dataset

import (
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// Columns of one name are told apart by their order, so each file must have as many of them.

// byName returns which of fields have which name.
func byName(fields []vector.Field) map[string][]*vector.Field {
	all := map[string][]*vector.Field{}
	for i := range fields {
		all[fields[i].Name] = append(all[fields[i].Name], &fields[i])
	}
	return all
}

// namesakesOf returns the columns of a file that are selected more than once by their names, and
// selected ones whose fields share names.
func namesakesOf(file, selected []vector.Field) (found []vector.Field) {
	mentions := byName(selected)
	for name, those := range byName(file) {
		n := len(mentions[name])
		for i, f := range those {
			if n > 1 || i < n && repeatsNames(f.Children) {
				found = append(found, *f)
			}
		}
	}
	return found
}

// repeatsNames reports whether two fields, or two fields of one of them, share a name.
func repeatsNames(fields []vector.Field) bool {
	return len(byName(fields)) < len(fields) || slices.ContainsFunc(fields, func(f vector.Field) bool { return repeatsNames(f.Children) })
}

// checkNamesakes returns an error if a file has another number of columns of a name than the first.
func (w *walk) checkNamesakes(f *scanner.File) error {
	if len(w.namesakes) == 0 {
		return nil
	}
	fields, err := f.Fields(w.ctx, scanner.Options{})
	if err != nil {
		return err
	}
	mentions := map[string]int{}
	for i := range w.wants {
		mentions[w.wants[i].Name]++
	}
	return mismatch(f.Name(), sameNamesakes(w.namesakes, fields, func(name string) int { return mentions[name] }))
}

// sameNamesakes returns an error for a name that is mentioned more than once, and that unequal numbers of
// fields of the first file and of another have. A name that the file lacks is none.
func sameNamesakes(first, file []vector.Field, mentions func(name string) int) error {
	here, there := byName(file), byName(first)
	for _, name := range slices.Sorted(maps.Keys(there)) {
		these, those := here[name], there[name]
		if mentions(name) > 1 && len(these) > 0 && len(these) != len(those) {
			return &project.Mismatch{Path: []string{name}, What: fmt.Sprintf("columns of this name: %d, in the first file %d", len(these), len(those))}
		}
		for i := range min(len(these), len(those)) {
			fields := byName(those[i].Children)
			if err := sameNamesakes(those[i].Children, these[i].Children, func(name string) int { return len(fields[name]) }); err != nil {
				return project.Within(name, err)
			}
		}
	}
	return nil
}
