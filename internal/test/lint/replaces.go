package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Replaces holds the README.md of each module that others import to the replacements which a module
// that imports it needs: the module, and those of this repository that it requires, and that these
// do. Replacements of a module's own go.mod count in no other.
func Replaces(t *Tree) (faults []string) {
	for dir := range t.Modules {
		if !strings.HasPrefix(dir, "adapters/") || t.isProgram(dir) {
			continue
		}
		want := map[string]bool{}
		t.require(dir, want)
		readme := dir + "/README.md"
		for _, line := range regexp.MustCompile(`(?m)^go mod edit -replace (.*)$`).FindAllStringSubmatch(t.text(readme), -1) {
			if !want[line[1]] {
				faults = append(faults, readme+": replaces "+line[1]+", which is not needed")
			}
			delete(want, line[1])
		}
		for line := range want {
			faults = append(faults, readme+": does not say: go mod edit -replace "+line)
		}
	}
	slices.Sort(faults)
	return faults
}

// require adds the replacements for a module and for what it requires of this repository.
func (t *Tree) require(dir string, all map[string]bool) {
	line := path.Join(t.Module, dir) + "=" + path.Join("FOLDER", dir)
	if all[line] {
		return
	}
	all[line] = true
	for other := range t.Modules {
		if regexp.MustCompile(`(?m)^(require)?\s+` + regexp.QuoteMeta(path.Join(t.Module, other)) + ` v`).MatchString(t.Modules[dir]) {
			t.require(other, all)
		}
	}
}

// isProgram reports whether the package in a folder is a program.
func (t *Tree) isProgram(dir string) bool {
	return slices.ContainsFunc(t.Files, func(f *File) bool {
		return path.Dir(f.Path) == dir && f.Go != nil && f.Go.Name.Name == "main"
	})
}
