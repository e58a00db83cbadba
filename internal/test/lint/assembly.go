package lint

import (
	"go/ast"
	"slices"
	"strings"
)

// Assembly wants each .s file left out of the build with the tag purego, and for each function in it a
// name that tells the instructions it takes, and a test from which it can be reached. Whether
// something stands in its place with purego, the compiler says.
func Assembly(t *Tree) (faults []string) {
	tested := map[string]map[string]bool{}
	for _, p := range t.packages() {
		if p.hasAssembly() {
			tested[p.Dir] = reachedByTests(p)
		}
	}
	for _, s := range t.Files {
		if !strings.HasSuffix(s.Path, ".s") {
			continue
		}
		if x := s.constraint(); x == nil || !strings.Contains(x.String(), "!purego") {
			faults = append(faults, s.Path+": is built with purego too")
		}
		for _, name := range symbols(s.Text) {
			if !namesInstructions(name) {
				faults = append(faults, s.Path+": "+name+" does not end with the instructions it takes, as .ci/run wants it")
			}
			if !tested[s.dir()][name] {
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
