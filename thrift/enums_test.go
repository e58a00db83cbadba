package thrift

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The enumerations of parquet.thrift, number by number: each number has its name, and a constant
// that is named after it.
func TestEnumsAgainstTheFormat(t *testing.T) {
	format, err := os.ReadFile("parquet.thrift")
	must(t, err)
	constants := constantsOf(t, "enums.go")
	for _, tc := range []struct {
		enum, typ, prefix string
		ours              func(n int32) fmt.Stringer
	}{
		{"Type", "Type", "Type", func(n int32) fmt.Stringer { return Type(n) }},
		{"Encoding", "Encoding", "Encoding", func(n int32) fmt.Stringer { return Encoding(n) }},
		{"CompressionCodec", "Codec", "Codec", func(n int32) fmt.Stringer { return Codec(n) }},
		{"PageType", "PageType", "", func(n int32) fmt.Stringer { return PageType(n) }},
		{"FieldRepetitionType", "Repetition", "", func(n int32) fmt.Stringer { return Repetition(n) }},
		{"BoundaryOrder", "BoundaryOrder", "", func(n int32) fmt.Stringer { return BoundaryOrder(n) }},
		{"ConvertedType", "ConvertedType", "Converted", func(n int32) fmt.Stringer { return ConvertedType(n) }},
		{"EdgeInterpolationAlgorithm", "EdgeInterpolation", "Edges", func(n int32) fmt.Stringer { return EdgeInterpolation(n) }},
	} {
		_, enum, _ := strings.Cut(string(format), "\nenum "+tc.enum+" {\n")
		enum, _, _ = strings.Cut(enum, "\n}")
		names := map[int32]string{}
		for line := range strings.Lines(enum) {
			code, _, _ := strings.Cut(line, "//")
			if name, number, ok := strings.Cut(code, "="); ok {
				n, err := strconv.Atoi(strings.TrimSpace(number))
				must(t, err)
				names[int32(n)] = strings.TrimSpace(name)
			}
		}
		if len(names) < 3 || len(names) != len(constants[tc.typ]) {
			t.Errorf("%s has %d names and %d constants", tc.typ, len(names), len(constants[tc.typ]))
		}
		for n := int32(-2); n < 100; n++ {
			want, known := names[n]
			if !known {
				want = strconv.Itoa(int(n))
			}
			if got := tc.ours(n).String(); got != want {
				t.Errorf("%s %d is %q, want %q", tc.typ, n, got, want)
			}
			constant := strings.TrimPrefix(constants[tc.typ][n], tc.prefix)
			if known && !strings.EqualFold(constant, strings.ReplaceAll(want, "_", "")) {
				t.Errorf("%s %d is %s, and its constant %s", tc.typ, n, want, constants[tc.typ][n])
			}
		}
	}
}

// constantsOf returns the names of the constants in a file, by type and number.
func constantsOf(t *testing.T, file string) map[string]map[int32]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	must(t, err)
	all := map[string]map[int32]string{}
	ast.Inspect(f, func(node ast.Node) bool {
		if v, ok := node.(*ast.ValueSpec); ok {
			typ := v.Type.(*ast.Ident).Name
			n, err := strconv.Atoi(v.Values[0].(*ast.BasicLit).Value)
			must(t, err)
			if all[typ] == nil {
				all[typ] = map[int32]string{}
			}
			all[typ][int32(n)] = v.Names[0].Name
		}
		return true
	})
	return all
}
