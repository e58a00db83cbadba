package compile

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// TestMatchIsLess: which test a regular expression becomes.
func TestMatchIsLess(t *testing.T) {
	s := oneColumn(t, kind("str"))
	for _, c := range []struct{ re, program, page string }{
		{"^abc$", `x = "abc"`, "abd"},
		{`\Aabc\z`, `x = "abc"`, "abd"},
		{"^abc", `x in ["abc", "abd")`, "abd"},
		{"^abc.*", `x in ["abc", "abd")`, "abd"},
		{"^(ab)(c)", `x in ["abc", "abd")`, "abd"},
		{"abc$", `x ends with "abc"`, ""},
		{"abc", `x contains "abc"`, ""},
		{".*a[b]c.?", `x contains "abc"`, ""},
		{"^ab[cd]", `x matches "^ab[cd]"`, "ac"},
		{"^$", `x = ""`, "a"},
		{"^ab.*c", `x matches "^ab.*c"`, "ac"},
		{"^abc|^abd", `x matches "^abc|^abd"`, ""},
		{"^ab+", `x matches "^ab+"`, "b"},
		{"(?i)^ab", `x matches "(?i)^ab"`, ""},
		{"(?m)^ab", `x matches "(?m)^ab"`, ""},
		{"^ab$|c", `x matches "^ab$|c"`, ""},
		{"^\uFFFD", "x matches \"^\uFFFD\"", ""},
		{"^a\uFFFD", "x matches \"^a\uFFFD\"", ""},
		{"^.*ab", `x matches "^.*ab"`, ""}, // no newline in front
	} {
		p, err := Bind(filter.Col("x").Match(regexp.MustCompile(c.re)), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.String(); got != c.program {
			t.Errorf("%s: %s, want %s", c.re, got, c.program)
		}
		b := Bounds{Min: []byte(c.page), Max: []byte(c.page + "~"), HasMin: true, HasMax: true, Slots: 9}
		want := None
		if c.page == "" {
			want, b.Min = Some, []byte("a")
		}
		if v := testsOf(p)[0].Verdict(&b); v != want {
			t.Errorf("%s: %v of %q to %q, want %v", c.re, v, b.Min, b.Max, want)
		}
	}
}

func TestMatchIsAll(t *testing.T) {
	for _, re := range []string{"^", "", "x*", "$", "()"} {
		p, err := Bind(filter.Col("x").Match(regexp.MustCompile(re)), oneColumn(t, kind("str")), nil)
		if err != nil || p.String() != "x IS NOT NULL" {
			t.Errorf("%q: %v, %v", re, p, err)
		}
	}
}

// TestMatch holds random expressions against package regexp.
func TestMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := oneColumn(t, kind("str"))
	pieces := []string{"a", "b", "ab", "é", "日", "^", "$", ".", ".*", "b*", "(a)", "(ab|c)", "[ab]", "c?", "a{0,2}", `\b`, "\uFFFD", "(?i)a", "(?m)^", "(?s).", "|", "()"}
	texts := []string{"", "a", "b", "c", "é", "日", "\xff", "\xe6\x97", "\n", "A", "\uFFFD"}
	for range 5000 {
		var text string
		for range r.IntN(5) {
			text += pick(r, pieces...)
		}
		compile := regexp.Compile
		if r.IntN(4) == 0 {
			compile = regexp.CompilePOSIX
		}
		re, err := compile(text)
		if err != nil {
			continue
		}
		e := filter.Col("x").Match(re)
		if r.IntN(3) == 0 {
			e = filter.Not(e)
		}
		p, err := Bind(e, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := &vector.Vector{}
		build.Reset(v, s.Leaves()[0].Type)
		var values []string
		for range 20 {
			var value string
			for range r.IntN(6) {
				value += pick(r, texts...)
			}
			values = append(values, value)
			appendPlain(v, []byte(value), false)
		}
		all := []uint64{1<<20 - 1}
		for _, test := range testsOf(p) {
			test.Pred.Filter(all, v)
		}
		if p.Root.Op == OpFalse {
			all[0] = 0
		}
		for i, value := range values {
			want := re.MatchString(value) != (treeOf(e).Op == tree.Not)
			if got := bits.Get(all, i); got != want {
				t.Fatalf("%s of %q: %v\nprogram %s", e, value, got, p)
			}
			for _, test := range testsOf(p) {
				b := Bounds{Min: []byte(value), Max: []byte(value), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 1}
				if verdict := test.Verdict(&b); (verdict == All) != want || (verdict == None) == want {
					t.Fatalf("%s of %q: verdict %v\nprogram %s", e, value, verdict, p)
				}
			}
		}
	}
}
