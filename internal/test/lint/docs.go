package lint

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

const maxWidth = 120 // runes in a line of a document

// isDocument reports whether the rules about documents hold for a file.
func (f *File) isDocument() bool {
	return f.Path == "README.md" || path.Dir(f.Path) == "docs" && strings.HasSuffix(f.Path, ".md")
}

// A docLine is a line of a document that is neither blank nor in a block of code.
type docLine struct {
	number int
	text   string
}

func (l *docLine) isTable() bool { return strings.HasPrefix(l.text, "|") }

// docLines returns the lines of a document, without those of code blocks.
func (f *File) docLines() (lines []docLine) {
	number, code := 0, false
	for text := range strings.Lines(f.Text) {
		number++
		text = strings.TrimRight(text, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(text), "```"):
			code = !code
		case !code && strings.TrimSpace(text) != "":
			lines = append(lines, docLine{number, text})
		}
	}
	return lines
}

// DocumentLines keeps documents readable where lines are not wrapped.
func DocumentLines(t *Tree) (faults []string) {
	for _, f := range t.Files {
		if !f.isDocument() {
			continue
		}
		for _, l := range f.docLines() {
			if n := utf8.RuneCountInString(l.text); n > maxWidth && !l.isTable() {
				faults = append(faults, fmt.Sprintf("%s:%d: %d characters", f.Path, l.number, n))
			}
		}
	}
	return faults
}

var docLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// DocumentLinks wants what documents link to in the tree. Links to other sites are not followed.
func DocumentLinks(t *Tree) (faults []string) {
	there := t.paths()
	for _, f := range t.Files {
		if !strings.HasSuffix(f.Path, ".md") {
			continue
		}
		for _, l := range f.docLines() {
			for _, m := range docLink.FindAllStringSubmatch(l.text, -1) {
				target, _, _ := strings.Cut(m[1], "#")
				if target == "" || strings.Contains(target, ":") {
					continue
				}
				if !there[path.Join(f.dir(), target)] {
					faults = append(faults, fmt.Sprintf("%s:%d: links to %s, which is not there", f.Path, l.number, m[1]))
				}
			}
		}
	}
	return faults
}

// walkthrough is the document that names a file and a function for each step of a scan.
const walkthrough = "docs/how-a-scan-works.md"

var (
	codeSpan   = regexp.MustCompile("`([^`]+)`")
	pathName   = regexp.MustCompile(`^[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+/?$`)
	qualified  = regexp.MustCompile(`^[a-z][a-z0-9]*\.[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$`)
	fileSuffix = regexp.MustCompile(`\.(?:go|md|py|json|csv|txt|parquet|mod|thrift)$`)
)

// DocumentNames wants what documents name to exist: paths of Go files, and what is
// declared, as in pkg.Func or pkg.Type.Method. In the walkthrough every path and every
// package has to exist; elsewhere names of other projects may stand.
func DocumentNames(t *Tree) (faults []string) {
	there, declared := t.paths(), t.declared()
	for _, f := range t.Files {
		if !f.isDocument() || f.Path == "docs/CHANGELOG.md" { // which names what is gone
			continue
		}
		strict := f.Path == walkthrough
		for _, l := range f.docLines() {
			for _, m := range codeSpan.FindAllStringSubmatch(l.text, -1) {
				name := strings.TrimSuffix(m[1], "()")
				pkg, _, _ := strings.Cut(name, ".")
				missing := false
				switch {
				case pathName.MatchString(name) && (strict || strings.HasSuffix(name, ".go")):
					missing = !there[strings.TrimSuffix(name, "/")]
				case fileSuffix.MatchString(name):
					missing = strict
				case qualified.MatchString(name) && (strict || declared[pkg]):
					missing = !declared[name]
				}
				if missing {
					faults = append(faults, fmt.Sprintf("%s:%d: names %s, which is not there", f.Path, l.number, name))
				}
			}
		}
	}
	return faults
}

// paths returns all files and folders of the tree.
func (t *Tree) paths() map[string]bool {
	there := map[string]bool{".": true}
	for _, f := range t.Files {
		for p := f.Path; !there[p]; p = path.Dir(p) {
			there[p] = true
		}
	}
	return there
}

// declared returns what the tree's packages declare at their top level: pkg, pkg.Name,
// and pkg.Type.Name for methods and fields. Tests declare nothing.
func (t *Tree) declared() map[string]bool {
	names := map[string]bool{}
	for _, p := range t.packages() {
		for _, f := range p.Files {
			if f.isTest() || f.Go.Name.Name == "main" {
				continue
			}
			pkg := f.Go.Name.Name
			names[pkg] = true
			for _, d := range f.Go.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					names[pkg+"."+receiver(d)+d.Name.Name] = true
				case *ast.GenDecl:
					for _, s := range d.Specs {
						addSpec(names, pkg, s)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type and a point, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	x := d.Recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name + "."
		default:
			return ""
		}
	}
}

func addSpec(names map[string]bool, pkg string, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names[pkg+"."+n.Name] = true
		}
	case *ast.TypeSpec:
		names[pkg+"."+s.Name.Name] = true
		var members *ast.FieldList
		switch x := s.Type.(type) {
		case *ast.StructType:
			members = x.Fields
		case *ast.InterfaceType:
			members = x.Methods
		default:
			return
		}
		for _, m := range members.List {
			for _, n := range m.Names {
				names[pkg+"."+s.Name.Name+"."+n.Name] = true
			}
		}
	}
}
