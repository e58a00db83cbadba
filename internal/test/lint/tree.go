package lint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Tree is what the rules look at.
type Tree struct {
	Module  string            // path of the root module
	Files   []*File           // all files that git does not ignore, sorted by path
	Modules map[string]string // folder of each go.mod ("." is the root) and its text
}

// A File is one file of the tree.
type File struct {
	Path string
	Text string
	Go   *ast.File // nil if it is not Go source, or lies in a testdata folder

	positions *token.FileSet // of Go
}

// Read reads the tree. Go files of all platforms and tags are parsed.
func Read(fsys fs.FS) (*Tree, error) {
	t := &Tree{Modules: map[string]string{}}
	ignore, err := ignored(fsys)
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || ignore(p)):
			return fs.SkipDir
		case d.IsDir() || ignore(p) || d.Name() == ".git" || !d.Type().IsRegular(): // a worktree has a file .git
			return nil
		}
		text, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		f := &File{Path: p, Text: string(text)}
		if path.Base(p) == "go.mod" {
			t.Modules[path.Dir(p)] = f.Text
		}
		if strings.HasSuffix(p, ".go") && !strings.Contains("/"+p, "/testdata/") {
			f.positions = token.NewFileSet()
			f.Go, err = parser.ParseFile(f.positions, p, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
		}
		t.Files = append(t.Files, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(t.Modules["."], "\n")
	if t.Module = strings.TrimPrefix(line, "module "); t.Module == line {
		return nil, fmt.Errorf("go.mod does not start with its module's path")
	}
	return t, nil
}

// ignored reads the top .gitignore, of which it knows three kinds of lines:
// /path at the root, /folder/ and *.suffix anywhere.
func ignored(fsys fs.FS) (func(string) bool, error) {
	text, err := fs.ReadFile(fsys, ".gitignore")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lines := strings.Fields(string(text))
	return func(p string) bool {
		for _, l := range lines {
			anchored := strings.HasPrefix(l, "/")
			name := strings.Trim(l, "/")
			if anchored && p == name {
				return true
			}
			if ok, _ := path.Match(name, path.Base(p)); ok && !anchored {
				return true
			}
		}
		return false
	}, nil
}

// text returns the text of the file at a path, "" if there is none.
func (t *Tree) text(path string) string {
	for _, f := range t.Files {
		if f.Path == path {
			return f.Text
		}
	}
	return ""
}

// module is the folder of the module that the file belongs to.
func (t *Tree) module(f *File) string {
	dir := path.Dir(f.Path)
	for t.Modules[dir] == "" && dir != "." {
		dir = path.Dir(dir)
	}
	return dir
}

func (f *File) dir() string  { return path.Dir(f.Path) }
func (f *File) isTest() bool { return strings.HasSuffix(f.Path, "_test.go") }

// line returns the line of a place in Go.
func (f *File) line(p token.Pos) int { return f.positions.Position(p).Line }

// generated says whether a program writes the file. Such files are exempt from
// what concerns readers.
func (f *File) generated() bool {
	return strings.HasPrefix(path.Base(f.Path), "z") && strings.HasSuffix(f.Path, ".go")
}

func (f *File) imports() []string {
	var list []string
	for _, s := range f.Go.Imports {
		p, _ := strconv.Unquote(s.Path.Value)
		list = append(list, p)
	}
	return list
}

// constraint is the //go:build line of Go or assembly source, nil without one.
func (f *File) constraint() constraint.Expr {
	for line := range strings.Lines(f.Text) {
		line = strings.TrimSpace(line)
		if constraint.IsGoBuild(line) {
			if x, err := constraint.Parse(line); err == nil {
				return x
			}
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			break
		}
	}
	return nil
}

// runsByHand says whether the file is a program apart ("//go:build ignore").
func (f *File) runsByHand() bool {
	x := f.constraint()
	return x != nil && strings.Contains(x.String(), "ignore")
}

// A Package is a folder of Go files. Programs to be run by hand are not part of it.
type Package struct {
	Dir   string
	Files []*File
}

// packages returns the packages of all modules, sorted by folder.
func (t *Tree) packages() []*Package {
	byDir := map[string]*Package{}
	for _, f := range t.Files {
		if f.Go == nil || f.runsByHand() {
			continue
		}
		if byDir[f.dir()] == nil {
			byDir[f.dir()] = &Package{Dir: f.dir()}
		}
		byDir[f.dir()].Files = append(byDir[f.dir()].Files, f)
	}
	return slices.SortedFunc(maps.Values(byDir), func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
}
