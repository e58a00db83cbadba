package function

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// TestBytes: what bytes that are part of no code point, and huge numbers, do.
func TestBytes(t *testing.T) {
	of := func(v any) *value.Literal { return value.Of(v) }
	for _, c := range []struct {
		name      string
		constants []*value.Literal
		of, want  string
	}{
		{"trim", []*value.Literal{of("\ufffd")}, "\ufffd\xffa\xff\ufffd", "\xffa\xff"},
		{"trim", []*value.Literal{of("\xff")}, "\xff\xff\ufffda\xff", "\ufffda"},
		{"ltrim", []*value.Literal{of("\xffé")}, "é\xffa\xff", "a\xff"},
		{"rtrim", []*value.Literal{of("\xffé")}, "é\xffaé\xff\xc3", "é\xffaé\xff\xc3"},
		{"trim", []*value.Literal{of("é")}, "éa\xffé", "a\xff"},
		{"substr", []*value.Literal{of(2), of(2)}, "\xffé\xffa", "é\xff"},
		{"substr", []*value.Literal{of(-2), of(1)}, "\xffé\xffa", "\xff"},
		{"substr", []*value.Literal{of(0), of(int64(math.MinInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(-9), of(int64(math.MinInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(int64(math.MinInt64)), of(int64(math.MaxInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(-9), of(int64(math.MaxInt64))}, "abc", "abc"},
		{"substr", []*value.Literal{of(int64(math.MaxInt64)), of(int64(math.MaxInt64))}, "abc", ""},
		{"left", []*value.Literal{of(int64(math.MinInt64))}, "abc", ""},
		{"right", []*value.Literal{of(int64(math.MinInt64))}, "abc", ""},
		{"right", []*value.Literal{of(int64(math.MaxInt64))}, "abc", "abc"},
		{"split_part", []*value.Literal{of("b"), of(int64(math.MinInt64))}, "abc", ""},
	} {
		call := Named(c.name).With(c.constants...)
		if got, fault := call.OfConstant(of(c.of)); fault != "" || got.Text != c.want {
			t.Errorf("%s of %q: %q, want %q", c.name, c.of, got.Text, c.want)
		}
	}
}

// TestEverywhere wants each function in the grammar, in the help, in the naive evaluator and in a
// random text, under its own name.
func TestEverywhere(t *testing.T) {
	for path, but := range map[string]string{
		"../../doc.go": "", "../../../internal/cli/guide/where.go": "", "../../../internal/test/naive/function.go": "trim ltrim",
		"../../compile/steps_test.go": "mod", "../../../.ci/peers/where.py": "length octet_length mod epoch split_part",
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range table {
			if !regexp.MustCompile(`\b`+f.Name+`\b`).Match(b) && !strings.Contains(" "+but+" ", " "+f.Name+" ") {
				t.Errorf("%s: no function %s", path, f.Name)
			}
		}
	}
}
