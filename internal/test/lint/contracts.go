package lint

import (
	"go/ast"
	"slices"
	"strings"
)

// Contracts wants each kernel in assembly that takes pointers to be reached only through a function that states and
// checks how far it reads and writes, or that begins with a call of one. Such a function is built for all machines: its
// comment says "Reads …; writes …", and it calls internal/invariants, unless "the kernel gets" the lengths of all
// it touches.
func Contracts(t *Tree) (faults []string) {
	for _, p := range t.packages() {
		functions, states := map[string][]*ast.FuncDecl{}, map[string]bool{}
		for _, f := range p.Files {
			for _, d := range f.Go.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && !f.isTest() {
					functions[fn.Name.Name] = append(functions[fn.Name.Name], fn)
					states[fn.Name.Name] = states[fn.Name.Name] || f.constraint() == nil && statesReach(fn)
				}
			}
		}
		callers := map[string][]string{}
		for name, of := range functions {
			for _, fn := range of {
				if fn.Body == nil || states[name] || states[firstCall(fn)] {
					continue
				}
				for _, used := range identifiers(fn.Body) {
					callers[used] = append(callers[used], name)
				}
			}
		}
		for _, f := range p.Files {
			for _, d := range f.Go.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil && takesPointers(fn) && fn.Name.Name != "prefetchLines" {
					if by := uncheckedBy(fn.Name.Name, callers, functions); by != "" {
						faults = append(faults, f.Path+": "+by+" leads to "+fn.Name.Name+" without a check of how far it reaches")
					}
				}
			}
		}
	}
	return faults
}

func statesReach(fn *ast.FuncDecl) bool {
	doc := strings.Join(strings.Fields(fn.Doc.Text()), " ")
	return fn.Body != nil && strings.Contains(doc, "Reads ") && strings.Contains(doc, "writes ") &&
		(strings.Contains(doc, "the kernel gets") || slices.Contains(identifiers(fn.Body), "invariants"))
}

// firstCall returns the name of the function that fn begins with a call of, if it does.
func firstCall(fn *ast.FuncDecl) string {
	if len(fn.Body.List) == 0 {
		return ""
	}
	statement, _ := fn.Body.List[0].(*ast.ExprStmt)
	if statement == nil {
		return ""
	}
	call, _ := statement.X.(*ast.CallExpr)
	if call == nil {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func takesPointers(fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(field *ast.Field) bool {
		_, is := field.Type.(*ast.StarExpr)
		return is
	})
}

// uncheckedBy returns a function that leads to a kernel by way of some that check nothing, and that none of these
// calls; "" if there is none.
func uncheckedBy(kernel string, callers map[string][]string, functions map[string][]*ast.FuncDecl) string {
	seen := map[string]bool{kernel: true}
	for queue := []string{kernel}; len(queue) > 0; queue = queue[1:] {
		for _, by := range callers[queue[0]] {
			if seen[by] {
				continue
			}
			seen[by] = true
			queue = append(queue, by)
			if ast.IsExported(by) || !calledAtAll(by, functions) {
				return by
			}
		}
	}
	return ""
}

// calledAtAll reports whether a function of the package names another.
func calledAtAll(name string, functions map[string][]*ast.FuncDecl) bool {
	for by, of := range functions {
		for _, fn := range of {
			if by != name && fn.Body != nil && slices.Contains(identifiers(fn.Body), name) {
				return true
			}
		}
	}
	return false
}
