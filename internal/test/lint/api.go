package lint

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// frozen are the packages whose exported names are a promise (docs/api.md).
func frozen() []string {
	return []string{"scanner", "scanner/dataset", "scanner/fetch", "scanner/fetch/cache", "scanner/fetch/web", "filter", "column/vector", "column/schema"}
}

// frozenTypes are single types of other packages that are frozen because frozen signatures
// name them, by package: with their fields, methods and constants.
func frozenTypes() map[string][]string {
	return map[string][]string{
		"encoding/bits": {"View"},
		"page/codec":    {"Codec"},

		// The metadata of a file as the format has them.
		"thrift": {
			"AAD", "Arm", "BoundingBox", "Codec", "ColumnChunk", "ColumnMetaData", "ConvertedType", "Crypto", "EdgeInterpolation",
			"Encoding", "Flag", "Footer", "GeospatialStatistics", "KeyValue", "KeyValues", "LogicalType", "PageEncodingStats",
			"PageType", "Repetition", "RowGroup", "SchemaElement", "SizeStatistics", "SortingColumn", "Statistics", "Type",
		},
	}
}

// TypesFile is the file that lists the frozen types of other packages.
const TypesFile = "docs/api/other-types.txt"

// APIFile is the file that lists the exported names of a frozen package.
func APIFile(pkg string) string { return "docs/api/" + strings.ReplaceAll(pkg, "/", "-") + ".txt" }

// API returns the exported names of a package with their signatures, a line each.
func API(t *Tree, pkg string) string {
	var lines []string
	for _, e := range exports(t, pkg) {
		lines = append(lines, e.text)
	}
	return sorted(lines)
}

func sorted(lines []string) string {
	sort.Strings(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// An export is a line of an API.
type export struct {
	text  string
	owner string   // the type that it is, or is a part of: a field, a method, a constant; "" for others
	names []string // the types that it names: "Node", or "schema.Node" of another package
}

// exports returns what a package exports.
func exports(t *Tree, pkg string) (all []export) {
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() || f.dir() != pkg || f.runsByHand() {
			continue
		}
		for _, d := range f.Go.Decls {
			all = append(all, exportsOf(d)...)
		}
	}
	return all
}

func exportsOf(d ast.Decl) (all []export) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() {
			return nil
		}
		signature := strings.TrimPrefix(types.ExprString(d.Type), "func")
		if d.Recv == nil {
			return []export{{"func " + d.Name.Name + signature, "", namesIn(d.Type)}}
		}
		receiver := types.ExprString(d.Recv.List[0].Type)
		owner := strings.TrimLeft(receiver, "*")
		if !ast.IsExported(owner) {
			return nil
		}
		return []export{{"method (" + receiver + ") " + d.Name.Name + signature, owner, namesIn(d.Type)}}
	case *ast.GenDecl:
		last := export{} // type of constants
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				all = append(all, exportsOfType(s)...)
			case *ast.ValueSpec:
				if s.Type != nil {
					last = export{" " + types.ExprString(s.Type), types.ExprString(s.Type), namesIn(s.Type)}
				} else if len(s.Values) > 0 || d.Tok == token.VAR {
					last = export{}
				}
				for _, n := range s.Names {
					if n.IsExported() {
						all = append(all, export{d.Tok.String() + " " + n.Name + last.text, last.owner, last.names})
					}
				}
			}
		}
	}
	return all
}

func exportsOfType(s *ast.TypeSpec) (all []export) {
	name := s.Name.Name
	if !s.Name.IsExported() {
		return nil
	}
	add := func(text string, named ast.Expr) {
		e := export{text: text, owner: name}
		if named != nil {
			e.names = namesIn(named)
		}
		all = append(all, e)
	}
	equals := ""
	if s.Assign.IsValid() {
		equals = "= "
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		add("type "+name+" struct", nil)
		for _, f := range t.Fields.List {
			text := types.ExprString(f.Type)
			if len(f.Names) == 0 {
				add("field "+name+", embedded "+text, f.Type)
			}
			for _, n := range f.Names {
				if n.IsExported() {
					add("field "+name+"."+n.Name+" "+text, f.Type)
				}
			}
		}
	case *ast.InterfaceType:
		add("type "+name+" interface", nil)
		for _, m := range t.Methods.List {
			text := types.ExprString(m.Type)
			if len(m.Names) == 0 {
				add("method "+name+", embedded "+text, m.Type)
			}
			for _, n := range m.Names {
				add("method "+name+"."+n.Name+strings.TrimPrefix(text, "func"), m.Type)
			}
		}
	default:
		add("type "+name+" "+equals+types.ExprString(t), t)
	}
	return all
}

// namesIn returns the exported types that a type names.
func namesIn(e ast.Expr) (names []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names = append(names, types.ExprString(n))
			return false
		case *ast.Field: // not the names of parameters
			names = append(names, namesIn(n.Type)...)
			return false
		case *ast.Ident:
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names
}

// frozenAPI holds the frozen packages and types to the files that list them, and their
// signatures to frozen types. others are the frozen types of other packages, by package.
func frozenAPI(t *Tree, others map[string][]string) (faults []string) {
	named := map[string]bool{}
	check := func(pkg string, all []export) {
		imported := importedBy(t, pkg)
		for _, e := range all {
			for _, name := range e.names {
				in, typ, found := strings.Cut(name, ".")
				if !found {
					in, typ = pkg, name
				} else if in = imported[in]; in == "" {
					continue // of the standard library, say
				}
				named[in+"."+typ] = true
				if why := unfit(t, in, typ); why != "" {
					if e.text != "type "+e.owner+" "+name || hasFields(t, in, typ) {
						faults = append(faults, fmt.Sprintf("%s: %s names %s, which is %s", pkg, e.text, in+"."+typ, why))
					}
				} else if !slices.Contains(frozen(), in) && !slices.Contains(others[in], typ) {
					faults = append(faults, fmt.Sprintf("%s: %s names %s, which is not frozen", pkg, e.text, in+"."+typ))
				}
			}
		}
	}
	hold := func(what, file, api string) {
		if listed := t.text(file); listed != api && !(api == "\n" && listed == "") { // not there in a small tree of a test
			faults = append(faults, fmt.Sprintf("%s: its exported names are not those of %s (%s): a change needs a reason in docs/decisions.md, and go test ./internal/test/lint -rewrite", what, file, firstChange(listed, api)))
		}
	}
	for _, pkg := range frozen() {
		check(pkg, exports(t, pkg))
		hold(pkg, APIFile(pkg), API(t, pkg))
	}
	for pkg := range others {
		check(pkg, exportsOfTypes(t, pkg, others[pkg]))
	}
	hold("frozen types of other packages", TypesFile, TypesAPI(t, others))
	for pkg, list := range others {
		for _, typ := range list {
			if !named[pkg+"."+typ] {
				faults = append(faults, fmt.Sprintf("%s.%s: nothing that is frozen names it", pkg, typ))
			}
		}
	}
	sort.Strings(faults)
	return faults
}

// unfit says why no promise may name a type, "" if it may: hosts cannot name what is internal, and
// what a program writes is not ours to keep.
func unfit(t *Tree, pkg, typ string) string {
	if strings.Contains("/"+pkg+"/", "/internal/") {
		return "internal"
	}
	for _, f := range t.Files {
		if f.Go == nil || f.dir() != pkg || !f.generated() {
			continue
		}
		for _, d := range f.Go.Decls {
			if slices.ContainsFunc(exportsOf(d), func(e export) bool { return strings.HasPrefix(e.text, "type "+typ+" ") }) {
				return "generated"
			}
		}
	}
	return ""
}

// hasFields reports whether a type shows fields to those who define another as it: "type Expr
// tree.Expr" has the fields of tree.Expr, and none of its methods.
func hasFields(t *Tree, pkg, typ string) bool {
	return slices.ContainsFunc(exportsOfTypes(t, pkg, []string{typ}), func(e export) bool { return strings.HasPrefix(e.text, "field ") })
}

// firstChange returns the first line that only one of two sorted texts has.
func firstChange(before, after string) string {
	only := func(sign, in, notIn string) string {
		others := strings.Split(notIn, "\n")
		for line := range strings.Lines(in) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && !slices.Contains(others, line) {
				return sign + line
			}
		}
		return ""
	}
	return cmp.Or(only("+ ", after, before), only("- ", before, after), "their order")
}

// importedBy returns the packages that a package imports, by name, without those of the standard
// library: a folder of this module, or the path of another.
func importedBy(t *Tree, pkg string) map[string]string {
	imported := map[string]string{}
	for _, f := range t.Files {
		if f.Go == nil || f.isTest() || f.dir() != pkg {
			continue
		}
		for _, s := range f.Go.Imports {
			p, _ := strconv.Unquote(s.Path.Value)
			name := path.Base(p)
			if s.Name != nil && s.Name.Name != "_" {
				name = s.Name.Name
			}
			if in, ours := strings.CutPrefix(p, t.Module+"/"); ours || strings.Contains(p, ".") {
				imported[name] = in
			}
		}
	}
	return imported
}

func exportsOfTypes(t *Tree, pkg string, list []string) (all []export) {
	for _, e := range exports(t, pkg) {
		if slices.Contains(list, e.owner) {
			all = append(all, e)
		}
	}
	return all
}

// TypesAPI returns the exported names of frozen types of other packages, a line each.
func TypesAPI(t *Tree, others map[string][]string) string {
	var lines []string
	for pkg, list := range others {
		for _, e := range exportsOfTypes(t, pkg, list) {
			lines = append(lines, pkg+": "+e.text)
		}
	}
	return sorted(lines)
}
