package lint

import (
	"fmt"
	"go/ast"
	"strings"
)

const (
	maxFields    = 20 // of a struct
	maxFuncLines = 80
	maxLarge     = 5 // entries
)

// largeOnes names structs and functions that may be larger, and why.
func largeOnes() map[string]string {
	return map[string]string{
		"thrift.ColumnMetaData":           "the format's struct, one field for each of its fields and one for each that may be absent",
		"scanner.Options":                 "what can be asked of a scan, of which a host sets a few: parts would be longer to write",
		"page/codec/inflate.Decoder.fast": "the inner loop: its state stays in registers, which calls would spill",
	}
}

// sizes limits structs and functions; tests, generated code, internal/test and internal/tools
// apart. It also refuses entries that nothing needs any more.
func sizes(t *Tree, large map[string]string) (faults []string) {
	needed := map[string]bool{}
	for _, f := range t.Files {
		testTool := strings.HasPrefix(f.Path, "internal/test/") || strings.HasPrefix(f.Path, "internal/tools/")
		if f.Go == nil || f.isTest() || f.generated() || testTool {
			continue
		}
		for name, fault := range largeIn(f) {
			key := f.dir() + "." + name
			if needed[key] = large[key] != ""; !needed[key] {
				faults = append(faults, f.Path+": "+name+" has "+fault+", and no entry says why")
			}
		}
	}
	for name := range large {
		if !needed[name] {
			faults = append(faults, name+": has an entry for what is large and needs none")
		}
	}
	if len(large) > maxLarge {
		faults = append(faults, fmt.Sprintf("%d entries for what is large, at most %d", len(large), maxLarge))
	}
	return faults
}

// largeIn returns the names of f's structs and functions that are over the limits,
// with what they have. An unnamed one counts for the declaration that it is in.
func largeIn(f *File) map[string]string {
	found := map[string]string{}
	for _, d := range f.Go.Decls {
		name := ""
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name = receiver(n) + n.Name.Name
			case *ast.TypeSpec:
				name = n.Name.Name
			case *ast.ValueSpec:
				if name == "" { // not a variable within a function
					name = n.Names[0].Name
				}
			}
			switch n := n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				if lines := f.line(n.End()) - f.line(n.Pos()) + 1; lines > maxFuncLines {
					found[name] = fmt.Sprint(lines, " lines")
				}
			case *ast.StructType:
				if fields := n.Fields.NumFields(); fields > maxFields {
					found[name] = fmt.Sprint(fields, " fields")
				}
			}
			return true
		})
	}
	return found
}
