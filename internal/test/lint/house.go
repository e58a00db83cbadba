package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Rule returns a line for each fault, starting with the path at fault.
type Rule struct {
	Name  string
	Check func(*Tree) []string
}

// Tables are what the rules are told of a tree.
type Tables struct {
	Listings    []Listing
	FrozenTypes map[string][]string // by package, see frozenTypes

	// Structs and functions that may be larger than others, "folder.Name" or "folder.Type.Name", and why. Each must be
	// needed.
	Large map[string]string
}

// Ours are the tables of this project.
func Ours() Tables { return Tables{listings(), frozenTypes(), largeOnes()} }

// Rules are all rules of the house.
func Rules(told Tables) []Rule {
	return []Rule{
		{"import order", ImportOrder},
		{"requirements", Requirements},
		{"file length", FileLength},
		{"sizes", func(t *Tree) []string { return sizes(t, told.Large) }},
		{"places", func(t *Tree) []string { return places(t, told.Listings) }},
		{"unsafe", Unsafe},
		{"no fmt in kernels", NoFmt},
		{"package comments", PackageComments},
		{"top level", TopLevel},
		{"assembly", Assembly},
		{"contracts of kernels", Contracts},
		{"private names", PrivateNames},
		{"empty bitmaps", EmptyBitmaps},
		{"document lines", DocumentLines},
		{"document commands", DocumentCommands},
		{"commands are run", CommandsRun},
		{"replacements", Replaces},
		{"document links", DocumentLinks},
		{"document names", DocumentNames},
		{"comment names", CommentNames},
		{"frozen API", func(t *Tree) []string { return frozenAPI(t, told.FrozenTypes) }},
	}
}

const maxLines = 500 // of a file

// FileLength limits the lines of a file.
func FileLength(t *Tree) (faults []string) {
	for _, f := range t.Files {
		if lines := strings.Count(f.Text, "\n"); strings.HasSuffix(f.Path, ".go") && !f.generated() && lines > maxLines {
			faults = append(faults, fmt.Sprintf("%s: %d lines", f.Path, lines))
		}
	}
	return faults
}

// Requirements holds the engine's go.mod to the libraries that were chosen.
func Requirements(t *Tree) (faults []string) {
	for line := range strings.Lines(t.Modules["."]) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		switch {
		case len(words) == 0 || strings.Contains(line, "// indirect"):
		case words[0] == "replace" || words[0] == "tool":
			faults = append(faults, "go.mod: has a line "+words[0])
		case len(words) >= 2 && strings.Contains(words[0], ".") && !slices.Contains(requirements(), words[0]):
			faults = append(faults, "go.mod: requires "+words[0])
		}
	}
	return faults
}

// Unsafe keeps unsafe in files whose names say so.
func Unsafe(t *Tree) (faults []string) {
	for _, f := range t.Files {
		if f.Go != nil && slices.Contains(f.imports(), "unsafe") && !strings.HasPrefix(path.Base(f.Path), "unsafe_") {
			faults = append(faults, f.Path+": imports unsafe; its name must start with unsafe_")
		}
	}
	return faults
}

// NoFmt keeps fmt out of the packages whose code runs on every page: it hides
// calls through interfaces and allocations in what looks like a message.
func NoFmt(t *Tree) (faults []string) {
	kernels := []string{"encoding", "encoding/*", "page", "page/*", "thrift", "column", "column/*", "pageindex", "filter", "filter/*", "internal/corrupt"}
	for _, f := range t.Files {
		if f.Go != nil && !f.isTest() && !f.runsByHand() && !forTests(f.dir()) && matches(kernels, f.dir()) && slices.Contains(f.imports(), "fmt") {
			faults = append(faults, f.Path+": imports fmt")
		}
	}
	return faults
}

const lastWord = "What never comes here:"

// PackageComments wants a charter in each package's doc.go. A program's comment
// says how to call it, anywhere.
func PackageComments(t *Tree) (faults []string) {
	for _, p := range t.packages() {
		var comment, in string
		program, onlyTests := false, true
		for _, f := range p.Files {
			if f.isTest() {
				continue
			}
			onlyTests = false
			program = program || f.Go.Name.Name == "main"
			if text := f.Go.Doc.Text(); text != "" {
				comment, in = text, path.Base(f.Path)
			}
		}
		paragraphs := strings.Split(strings.TrimSpace(comment), "\n\n")
		switch last := paragraphs[len(paragraphs)-1]; {
		case onlyTests:
			faults = append(faults, p.Dir+": only tests, no doc.go")
		case comment == "":
			faults = append(faults, p.Dir+": no package comment")
		case program:
		case in != "doc.go":
			faults = append(faults, p.Dir+": the package comment is in "+in+", not in doc.go")
		case !strings.HasPrefix(last, lastWord):
			faults = append(faults, fmt.Sprintf("%s/doc.go: the last paragraph does not start with %q", p.Dir, lastWord))
		}
	}
	return faults
}

// TopLevel keeps the root of the repository as it was drawn.
func TopLevel(t *Tree) (faults []string) {
	allowed := []string{
		"go.mod", "go.sum", "README.md", "LICENSE",
		"thrift", "page", "column", "scanner", "filter", "pageindex", "encoding",
		"testdata", "cmd", "internal", "docs", "adapters",
	}
	for _, f := range t.Files {
		top, _, _ := strings.Cut(f.Path, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			faults = append(faults, f.Path+": stands at a place that the root has not")
		}
	}
	return faults
}

// PrivateNames looks for what only the authors' machines know.
func PrivateNames(t *Tree) (faults []string) {
	// In halves, so that this file does not hold what it looks for.
	private := []string{
		"/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/", "fa" + "rm-", ".ven" + "v-",
		"proxy.go" + "lang", "sum.go" + "lang", "py" + "pi.org", "files.python" + "hosted", "deb." + "debian",
	}
	for _, f := range t.Files {
		if strings.Contains(f.Text, "\x00") || !utf8.ValidString(f.Text) {
			continue
		}
		for _, name := range private {
			if at := strings.Index(f.Text, name); at >= 0 {
				faults = append(faults, fmt.Sprintf("%s:%d: names %s", f.Path, 1+strings.Count(f.Text[:at], "\n"), name))
			}
		}
	}
	return faults
}

// EmptyBitmaps wants the bitmap of a vector asked for its length: one that is reused is
// empty, not nil, where no slot is NULL.
func EmptyBitmaps(t *Tree) (faults []string) {
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() {
			continue
		}
		ast.Inspect(f.Go, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
				x, field := b.X.(*ast.SelectorExpr)
				y, name := b.Y.(*ast.Ident)
				if field && name && x.Sel.Name == "Validity" && y.Name == "nil" {
					faults = append(faults, f.Path+": compares Validity with nil; it may be empty")
				}
			}
			return true
		})
	}
	return faults
}
