package dtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Constants returns the names of the constants of a type that a file counts by iota, in their order.
func Constants(t testing.TB, file, typ string) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		if first, ok := group.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || first.Name != typ {
			continue
		}
		for _, s := range group.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
	}
	if names == nil {
		t.Fatalf("%s: no constants of the type %s", file, typ)
	}
	return names
}
