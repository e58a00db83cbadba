package lint

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	directive   = regexp.MustCompile(`^//[a-z]+:?\w`)                         // for programs: //go:build, //every:codec
	commentWord = regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`)       // with what is selected from it
	nameOfGo    = regexp.MustCompile(`^[A-Za-z][a-z0-9]+[A-Z]\w*$|^\w+_\w+$`) // no word of English
	sourceFile  = regexp.MustCompile(`\.(?:go|s|py)$`)
	subject     = regexp.MustCompile(`^([a-z]\w*) (?:is|are|and|[a-z]+s)\b`) // in lower case, with its verb
)

// properNames look like names of Go in comments, and are those of other things.
func properNames() []string { return []string{"ClickHouse", "HyperLogLog", "xxHash", "xxHash64"} }

// CommentNames wants what comments name to exist: a word with capitals within, or with _, is an
// identifier or a word of a string somewhere in the tree; pkg.Name is declared or used; file.go is
// there. A comment that begins with a subject in lower case begins with what is declared below it.
func CommentNames(t *Tree) (faults []string) {
	known := t.known()
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() || f.generated() || t.module(f) != "." {
			continue
		}
		for _, group := range f.Go.Comments {
			for _, c := range group.List {
				for _, name := range commentWord.FindAllString(c.Text, -1) {
					if !known.has(name) && !directive.MatchString(c.Text) {
						faults = append(faults, fmt.Sprintf("%s:%d: a comment names %s, which is not there", f.Path, f.line(c.Pos()), name))
					}
				}
			}
		}
		for _, d := range f.Go.Decls {
			doc, names := documented(d)
			if m := subject.FindStringSubmatch(doc.Text()); m != nil && !slices.Contains(names, m[1]) {
				faults = append(faults, fmt.Sprintf("%s:%d: the comment of %s begins with %s", f.Path, f.line(d.Pos()), strings.Join(names, ", "), m[1]))
			}
		}
	}
	return faults
}

// documented returns the comment of a declaration, and what it declares. A group declares nothing.
func documented(d ast.Decl) (doc *ast.CommentGroup, names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc, []string{d.Name.Name}
	case *ast.GenDecl:
		if d.Lparen.IsValid() {
			return nil, nil
		}
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return d.Doc, []string{s.Name.Name}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, n.Name)
			}
			return d.Doc, names
		}
	}
	return nil, nil
}

// knownNames are what comments may name.
type knownNames struct {
	words     map[string]bool // identifiers, words of strings, and those of files that are not Go
	qualified map[string]bool // packages of the tree; pkg.Name that is declared or used
	files     map[string]bool // by their last names
}

func (t *Tree) known() *knownNames {
	k := &knownNames{map[string]bool{}, t.declared(), map[string]bool{}}
	words := &mark{known: k.words}
	words.addWords(strings.Join(properNames(), " "))
	for _, f := range t.Files {
		k.files[path.Base(f.Path)] = true
		switch {
		case f.Go != nil:
			words.add(f.Go)
			ast.Inspect(f.Go, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok {
						k.qualified[x.Name+"."+s.Sel.Name] = true
					}
				}
				return true
			})
		case slices.Contains([]string{".thrift", ".s", ".py", ".c", ".h", ".js"}, path.Ext(f.Path)):
			words.addWords(f.Text)
		}
	}
	return k
}

// has reports whether something has the name, or whether it is none.
func (k *knownNames) has(name string) bool {
	first, rest, selects := strings.Cut(name, ".")
	selected, _, _ := strings.Cut(rest, ".")
	switch {
	case !selects:
		return !nameOfGo.MatchString(name) || k.words[name] || k.words[strings.TrimSuffix(name, "s")]
	case k.files[name] || fileSuffix.MatchString(name) && !sourceFile.MatchString(name):
		return true
	case sourceFile.MatchString(name):
		return false
	case k.qualified[first]:
		return k.qualified[first+"."+selected]
	}
	return strings.ToLower(selected) == selected || k.words[first] && k.words[selected]
}
