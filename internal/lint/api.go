package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strings"
)

// frozen are the packages whose exported names are a promise (docs/api.md).
func frozen() []string {
	return []string{"scanner", "scanner/dataset", "scanner/fetch", "scanner/fetch/cache", "filter", "column/vector", "column/schema"}
}

// notFrozen are the packages that frozen signatures may name nevertheless, and why. What
// stands here is to leave those signatures before the first version.
func notFrozen() map[string]string {
	return map[string]string{
		"thrift":      "Footer and Chunk show the file's metadata as the format has them",
		"thrift/wire": "the enums of those metadata",
		"pageindex":   "Bounds and Verdict, which filters are asked with",
		"column/pred": "what a filter's tests are lowered to, for cursors",
		"page/codec":  "codecs that a host brings",

		"encoding/bits": "View, the 16 bytes that a string is in a vector",
	}
}

// APIFile is the file that lists the exported names of a frozen package.
func APIFile(pkg string) string { return "docs/api/" + strings.ReplaceAll(pkg, "/", "-") + ".txt" }

// API returns the exported names of a package with their signatures, a line each.
func API(t *Tree, pkg string) string {
	var lines []string
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() || f.dir() != pkg || f.runsByHand() {
			continue
		}
		for _, d := range f.Go.Decls {
			lines = append(lines, apiOf(d)...)
		}
	}
	sort.Strings(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

func apiOf(d ast.Decl) (lines []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() {
			return nil
		}
		signature := strings.TrimPrefix(types.ExprString(d.Type), "func")
		if d.Recv == nil {
			return []string{"func " + d.Name.Name + signature}
		}
		receiver := types.ExprString(d.Recv.List[0].Type)
		if !ast.IsExported(strings.TrimLeft(receiver, "*")) {
			return nil
		}
		return []string{"method (" + receiver + ") " + d.Name.Name + signature}
	case *ast.GenDecl:
		last := "" // type of constants
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				lines = append(lines, apiOfType(s)...)
			case *ast.ValueSpec:
				if s.Type != nil {
					last = " " + types.ExprString(s.Type)
				} else if len(s.Values) > 0 || d.Tok == token.VAR {
					last = ""
				}
				for _, n := range s.Names {
					if n.IsExported() {
						lines = append(lines, d.Tok.String()+" "+n.Name+last)
					}
				}
			}
		}
	}
	return lines
}

func apiOfType(s *ast.TypeSpec) []string {
	name := s.Name.Name
	if !s.Name.IsExported() {
		return nil
	}
	equals := ""
	if s.Assign.IsValid() {
		equals = "= "
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		lines := []string{"type " + name + " struct"}
		for _, f := range t.Fields.List {
			text := types.ExprString(f.Type)
			if len(f.Names) == 0 {
				lines = append(lines, "field "+name+", embedded "+text)
			}
			for _, n := range f.Names {
				if n.IsExported() {
					lines = append(lines, "field "+name+"."+n.Name+" "+text)
				}
			}
		}
		return lines
	case *ast.InterfaceType:
		lines := []string{"type " + name + " interface"}
		for _, m := range t.Methods.List {
			text := types.ExprString(m.Type)
			if len(m.Names) == 0 {
				lines = append(lines, "method "+name+", embedded "+text)
			}
			for _, n := range m.Names {
				lines = append(lines, "method "+name+"."+n.Name+strings.TrimPrefix(text, "func"))
			}
		}
		return lines
	default:
		return []string{"type " + name + " " + equals + types.ExprString(t)}
	}
}

// FrozenAPI holds the frozen packages to the files that list them, and their
// signatures to frozen packages.
func FrozenAPI(t *Tree) (faults []string) {
	files := map[string]string{}
	for _, f := range t.Files {
		files[f.Path] = f.Text
	}
	for _, pkg := range frozen() {
		api := API(t, pkg)
		if api == "\n" && files[APIFile(pkg)] == "" {
			continue // not there: a small tree of a test
		}
		if files[APIFile(pkg)] != api {
			faults = append(faults, fmt.Sprintf("%s: its exported names are not those of %s: a change needs a reason in docs/decisions.md, and go test ./internal/lint -rewrite", pkg, APIFile(pkg)))
		}
		faults = append(faults, foreignNames(t, pkg, api)...)
	}
	return faults
}

// foreignNames returns the packages of the module that the lines of an API name though
// they are not frozen.
func foreignNames(t *Tree, pkg, api string) (faults []string) {
	imported := map[string]string{} // the package of a name
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() || f.dir() != pkg {
			continue
		}
		for _, p := range f.imports() {
			if in, ok := strings.CutPrefix(p, t.Module+"/"); ok {
				imported[path.Base(in)] = in
			}
		}
	}
	excused := notFrozen()
	for name, in := range imported {
		if slices.Contains(frozen(), in) || excused[in] != "" {
			continue
		}
		for line := range strings.Lines(api) {
			if strings.Contains(" "+strings.NewReplacer("*", " ", "(", " ", "[", " ", "]", " ").Replace(line), " "+name+".") {
				faults = append(faults, fmt.Sprintf("%s: %s names %s, which is not frozen", pkg, strings.TrimSpace(line), in))
			}
		}
	}
	sort.Strings(faults)
	return faults
}
