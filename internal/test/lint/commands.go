package lint

import (
	"path"
	"regexp"
	"strings"
)

// goCommand finds commands of Go in a line: their folder, if they name one, and what they
// run, build or test. changesTo finds the folder that a line goes to.
var (
	goCommand = regexp.MustCompile(`\bgo (?:-C ([\w./-]+) )?(?:run|test|build|tool)\b([^|;>` + "`" + `#]*)`)
	changesTo = regexp.MustCompile(`^cd ([\w./-]+) &&`)
)

// DocumentCommands reports commands of Go in documents whose packages, tests or benchmarks
// are not there. Programs of this project are run with their flags by tests of their own.
func DocumentCommands(t *Tree) (faults []string) {
	there := t.paths()
	for _, f := range t.Files {
		if !strings.HasSuffix(f.Path, ".md") || f.Path == "docs/CHANGELOG.md" {
			continue
		}
		folder := "" // in a block of commands, where the lines before went to
		for line := range strings.Lines(f.Text) {
			if strings.HasPrefix(line, "```") {
				folder = ""
			}
			if c := changesTo.FindStringSubmatch(line); c != nil {
				folder = c[1]
			}
			for _, c := range goCommand.FindAllStringSubmatch(line, -1) {
				for _, what := range t.missing(there, path.Dir(f.Path), path.Join(folder, c[1]), strings.Fields(c[2])) {
					faults = append(faults, f.Path+": "+strings.TrimSpace(c[0])+": "+what)
				}
			}
		}
	}
	return faults
}

// missing returns what a command names that is not there. Its paths begin at the root or,
// in READMEs of modules, at the document's folder; or at the folder that it goes to.
func (t *Tree) missing(there map[string]bool, document, folder string, args []string) (missing []string) {
	if folder != "" && !there[path.Clean(folder)] && !there[path.Join(document, folder)] {
		return []string{"no folder " + folder}
	}
	find := func(name string) (found string, ok bool) {
		for _, base := range []string{folder, path.Join(document, folder)} {
			if p := path.Join(base, name); there[p] {
				return p, true
			}
		}
		return "", false
	}
	tested := map[string]bool{}
	for _, arg := range args {
		if name := strings.TrimSuffix(arg, "/..."); strings.HasPrefix(arg, "./") && !strings.HasSuffix(arg, ".parquet") {
			found, ok := find(name)
			if !ok {
				missing = append(missing, "no folder "+arg)
			}
			tested[found] = true
		}
	}
	for i, arg := range args {
		kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[arg]
		if kind == "" || i+1 == len(args) {
			continue
		}
		name := strings.Trim(args[i+1], "'\"^$")
		if regexp.MustCompile(`^\w+$`).MatchString(name) && !t.hasTest(tested, kind, name) {
			missing = append(missing, "no "+kind+" with "+name)
		}
	}
	return missing
}

// hasTest reports whether a folder has a test or benchmark with a name.
func (t *Tree) hasTest(folders map[string]bool, kind, name string) bool {
	function := regexp.MustCompile(`(?m)^func ` + kind + `\w*`)
	for _, f := range t.Files {
		if !strings.HasSuffix(f.Path, "_test.go") || len(folders) > 0 && !folders[path.Dir(f.Path)] {
			continue
		}
		for _, found := range function.FindAllString(f.Text, -1) {
			if strings.Contains(found, name) {
				return true
			}
		}
	}
	return false
}
