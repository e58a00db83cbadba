package lint

import (
	"go/ast"
	"go/build/constraint"
	"slices"
	"strings"
)

// Assembly wants for each .s file a build without it (tag purego), a Go file of
// that build in its place, and a test from which each of its functions can be
// reached. That file has a twin in Go, or, where a kernel is a step of a decoder,
// says that there is none: a library does all of it, and tests compare with that.
func Assembly(t *Tree) (faults []string) {
	pure := func(tag string) bool { return tag == "purego" || tag == "amd64" || tag == "linux" || tag == "gc" }
	excluded := func(f *File) bool {
		x := f.constraint()
		return x != nil && !x.Eval(pure)
	}
	byDir := map[string]*Package{}
	for _, p := range t.packages() {
		byDir[p.Dir] = p
	}
	for _, s := range t.Files {
		p := byDir[s.dir()]
		if !strings.HasSuffix(s.Path, ".s") || p == nil {
			continue
		}
		if !excluded(s) {
			faults = append(faults, s.Path+": is built with purego too")
		}
		if !slices.ContainsFunc(p.Files, func(f *File) bool {
			return !f.isTest() && f.constraint() != nil && mentionsTag(f.constraint(), "purego") && !excluded(f)
		}) {
			faults = append(faults, s.Path+": nothing is built with purego in its place")
		}
		for _, f := range p.Files {
			if names := bodyless(f); len(names) > 0 && !excluded(f) {
				faults = append(faults, f.Path+": declares "+names[0]+" without a body, with purego too")
			}
		}
		tested := reachedByTests(p)
		for _, name := range symbols(s.Text) {
			if !namesInstructions(name) {
				faults = append(faults, s.Path+": "+name+" does not end with the instructions it takes, as .ci/run wants it")
			}
			if !tested[name] {
				faults = append(faults, s.Path+": no test reaches "+name)
			}
		}
	}
	return faults
}

// namesInstructions reports whether a kernel's name ends with the instructions that not every machine has. A few
// take none.
func namesInstructions(name string) bool {
	return slices.Contains([]string{"cpuid", "xgetbv", "prefetchLines"}, name) ||
		slices.ContainsFunc([]string{"AVX2", "AVX512", "VBMI", "VBMI2", "BMI", "BMI2"}, func(set string) bool { return strings.HasSuffix(name, set) })
}

func (p *Package) hasAssembly() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool { return len(bodyless(f)) > 0 })
}

// bodyless returns the functions that the file declares for assembly.
func bodyless(f *File) (names []string) {
	for _, d := range f.Go.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// symbols returns the functions that assembly source defines.
func symbols(text string) (names []string) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "TEXT ·"); ok {
			name, _, _ := strings.Cut(rest, "(")
			names = append(names, strings.TrimSuffix(name, "<ABIInternal>"))
		}
	}
	return names
}

// reachedByTests returns the names that the package's tests use, by themselves
// or through what they use.
func reachedByTests(p *Package) map[string]bool {
	uses := map[string][]string{} // name of a declaration: names in it
	reached := map[string]bool{}
	var queue []string
	for _, f := range p.Files {
		if f.isTest() {
			queue = append(queue, identifiers(f.Go)...)
			continue
		}
		for _, d := range f.Go.Decls {
			for _, name := range declared(d) {
				uses[name] = append(uses[name], identifiers(d)...)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if !reached[queue[0]] {
			reached[queue[0]] = true
			queue = append(queue, uses[queue[0]]...)
		}
	}
	return reached
}

func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

func identifiers(in ast.Node) (names []string) {
	ast.Inspect(in, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

func mentionsTag(x constraint.Expr, tag string) bool {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return x.Tag == tag
	case *constraint.NotExpr:
		return mentionsTag(x.X, tag)
	case *constraint.AndExpr:
		return mentionsTag(x.X, tag) || mentionsTag(x.Y, tag)
	case *constraint.OrExpr:
		return mentionsTag(x.X, tag) || mentionsTag(x.Y, tag)
	}
	return false
}
