package lint

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var rewrite = flag.Bool("rewrite", false, "write the lists of exported names anew")

func TestHouse(t *testing.T) {
	tree, err := Read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.packages()) < 5 || len(tree.Modules) < 2 {
		t.Fatalf("%d packages in %d modules: the tree was not read", len(tree.packages()), len(tree.Modules))
	}
	if *rewrite {
		for _, pkg := range frozen() {
			writeList(t, APIFile(pkg), API(tree, pkg))
		}
		writeList(t, TypesFile, TypesAPI(tree, frozenTypes()))
		if tree, err = Read(os.DirFS("../../..")); err != nil {
			t.Fatal(err)
		}
	}
	for _, rule := range Rules(Ours()) {
		t.Run(rule.Name, func(t *testing.T) {
			for _, fault := range rule.Check(tree) {
				t.Error(fault)
			}
		})
	}
}

// writeList writes a list of exported names, and says so where it is another one.
func writeList(t *testing.T, file, list string) {
	t.Helper()
	before, _ := os.ReadFile("../../../" + file)
	if string(before) == list {
		return
	}
	if err := os.WriteFile("../../../"+file, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log(file + ": written")
}

// good is a small tree without a fault.
func good() map[string]string {
	return map[string]string{
		".git":                         "gitdir: /wo" + "rk/tree\n", // of a worktree
		".gitignore":                   "*.prof\n/scratch/\n",
		"go.mod":                       "module example.org/m\n\nrequire (\n\tgithub.com/golang/snappy v1.0.0\n\tgolang.org/x/text v0.1.0 // indirect\n)\n",
		"README.md":                    "nothing but \x00 good\n",
		"docs/how-a-scan-works.md":     walk,
		"docs/CHANGELOG.md":            "- Gone: `plain.vanished`.\n",
		"scratch/x.go":                 "not Go at all",
		"encoding/doc.go":              doc("encoding"),
		"encoding/plain/doc.go":        doc("plain"),
		"encoding/plain/plain.go":      "package plain\n\nimport (\n\t\"math\"\n\n\t_ \"example.org/m/encoding\"\n\t_ \"example.org/m/internal/corrupt\"\n)\n\nvar kernel = addAVX2\n\n// add calls plain.add by its kernel, addAVX2: see plain.go, ClickHouse and page.json.\nfunc add() { kernel() }\n",
		"encoding/plain/plain_test.go": "package plain\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc Test() { add() }\n",
		"encoding/plain/unsafe_a.go":   "package plain\n\nimport \"unsafe\"\n",
		"encoding/plain/asm_amd64.go":  "//go:build !purego\n\npackage plain\n\nfunc addAVX2()\n",
		"encoding/plain/asm_amd64.s":   "//go:build !purego\n\nTEXT ·addAVX2(SB), 4, $0\n\tRET\n",
		"encoding/plain/asm_other.go":  "//go:build purego || !amd64\n\npackage plain\n",
		"encoding/plain/gen.go":        "//go:build ignore\n\npackage main\n\nimport \"fmt\"\n",
		"internal/corrupt/doc.go":      doc("corrupt"),
		"scanner/fetch/doc.go":         doc("fetch") + "\nimport \"os\"\n",
		"page/doc.go":                  doc("page"),
		"page/page.go":                 "package page\n\nimport _ \"example.org/m/page/codec\"\n",
		"page/codec/doc.go":            doc("codec") + "\nimport \"github.com/golang/snappy\"\n",
		"page/zbig.go":                 "package page\n" + strings.Repeat("\n", 600),
		"cmd/scan/main.go":             "// Scan scans.\npackage main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t_ \"example.org/m/page\"\n)\n",
		"adapters/x/go.mod":            "module example.org/m/adapters/x\n\nrequire anything.example/y v1.0.0\n",
		"adapters/x/README.md":         "go mod edit -replace example.org/m/adapters/x=FOLDER/adapters/x\n",
		"adapters/x/doc.go":            doc("x") + "\nimport (\n\t\"anything.example/y\"\n\t\"net\"\n\n\t\"example.org/m/adapters/z\"\n\t\"example.org/m/scanner/fetch\"\n)\n",
		"adapters/x/x_test.go":         "package x\n\nimport _ \"example.org/m/internal/corrupt\"\n",
		"internal/tools/go.mod":        "module example.org/m/internal/tools\n",
		"internal/tools/doc.go":        doc("tools") + "\nimport \"example.org/m/page\"\n",
	}
}

// walk is a document without a fault: long lines stand where they may.
var walk = "# Walk\n\nSee [the room](../encoding/plain) and [a site](https://example.org/x).\n\n" +
	"1. `encoding/plain/plain.go`: `plain.add()` and `plain.kernel`\n2. `page/codec/`, `scan explain`, `a >= 1.5`\n\n" +
	"| " + strings.Repeat("a cell ", 9) + "| " + strings.Repeat("a cell ", 9) + "|\n\n" +
	"```\n" + strings.Repeat("code ", 40) + "[x](nowhere) `plain.nothing`\n```\n\n" +
	"A sentence of any length: " + strings.Repeat("word ", 13) + "\n" + strings.Repeat("word ", 13) + "end.\n"

func doc(name string) string {
	return "// Package " + name + " is one.\n//\n// " + lastWord + " faults.\npackage " + name + "\n"
}

func read(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for p, text := range files {
		fsys[p] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestGoodTreeHasNoFault(t *testing.T) {
	tree := read(t, good())
	for _, rule := range Rules(Tables{}) {
		if faults := rule.Check(tree); len(faults) > 0 {
			t.Errorf("%s: %q", rule.Name, faults)
		}
	}
}

// Each line spoils the good tree, and must be seen by the one rule.
func TestRulesCanFail(t *testing.T) {
	with := func(imported string) string { return "\nimport _ \"" + imported + "\"\n" }
	tests := []struct{ rule, path, text, want string }{
		{"frozen API", "filter/x.go", "package filter\n\nfunc Exported() {}\n", "docs/api/filter.txt (+ func Exported())"},
		{"frozen API", "docs/api/filter.txt", "func Gone()\n", "docs/api/filter.txt (- func Gone())"},
		{"frozen API", "filter/x.go", "package filter" + with("example.org/m/page") + "\nfunc Exported(p *page.Page) {}\n", "names page.Page, which is not frozen"},
		{"frozen API", "filter/x.go", "package filter\n\nimport its \"example.org/m/filter/internal/tree\"\n\nfunc (Expr) Tree() *its.Tree\n\ntype Expr int\n", "names filter/internal/tree.Tree, which is internal"},
		{"frozen API", "filter/x.go", "package filter\n\nimport \"example.org/m/filter/internal/tree\"\n\ntype Expr = tree.Expr\n", "names filter/internal/tree.Expr, which is internal"},
		{"frozen API", "filter/x.go", "package filter\n\nimport apache \"github.com/apache/thrift/lib/go/thrift\"\n\nfunc Exported(s apache.TStruct) {}\n", "names github.com/apache/thrift/lib/go/thrift.TStruct, which is not frozen"},
		{"empty bitmaps", "page/x.go", "package page\n\nfunc null(v vector) bool { return v.Validity != nil }\n", "compares Validity with nil"},
		{"import order", "encoding/plain/x.go", "package plain" + with("example.org/m/page"), "not in the import order"},
		{"import order", "page/x.go", "package page" + with("example.org/m/encoding/plain"), "page imports encoding/plain: never"},
		{"import order", "page/codec/x.go", "package codec" + with("example.org/m/encoding/plain"), "page imports page/codec imports encoding/plain: never"},
		{"import order", "scanner/x.go", "package scanner" + with("example.org/m/thrift/wire"), "scanner imports thrift/wire: never"},
		{"import order", "page/x.go", "package page" + with("os"), "touch the machine"},
		{"import order", "page/x.go", "//go:build !purego\n\npackage page" + with("os"), "touch the machine"},
		{"import order", "page/x.go", "package page" + with("io/fs"), "touch the machine"},
		{"import order", "page/x.go", "package page" + with("net/http"), "touch the machine"},
		{"import order", "scanner/x.go", "package scanner" + with("os"), "touch the machine"},
		{"import order", "page/x.go", "package page" + with("github.com/golang/snappy"), "not in the import order"},
		{"import order", "page/x.go", "package page" + with("golang.org/x/sys/cpu"), "no assembly"},
		{"import order", "page/x.go", "package page" + with("example.org/m/internal/test/gen"), "not in the import order"},
		{"import order", "cmd/scan/x.go", "package main" + with("example.org/m/internal/test/naive"), "not in the import order"},
		{"import order", "cmd/scan/x.go", "package main" + with("github.com/rogpeppe/go-internal/testscript"), "not in the import order"},
		{"import order", "column/x.go", "package column" + with("example.org/m/filter"), "column imports filter: never"},
		{"import order", "filter/x.go", "package filter" + with("example.org/m/thrift"), "filter imports thrift: never"},
		{"import order", "pageindex/x.go", "package pageindex" + with("example.org/m/column"), "pageindex imports column: never"},
		{"import order", "pageindex/x.go", "package pageindex" + with("example.org/m/encoding/bits"), "pageindex imports encoding/bits: never"},
		{"import order", "column/x.go", "package column" + with("example.org/m/encoding/decodetest"), "it is for tests"},
		{"import order", "adapters/x/x.go", "package x" + with("example.org/m/page"), "adapters/x/x.go: imports page: not promised to hosts"},
		{"import order", "adapters/x/deep/doc.go", doc("deep") + with("example.org/m/internal/corrupt"), "imports internal/corrupt: not promised"},
		{"import order", "adapters/x/x.go", "package x" + with("example.org/m/internal/cli"), "imports internal/cli: not promised"},
		{"import order", "adapters/scan/main.go", "package main" + with("example.org/m/page"), "imports page: not promised"},
		{"import order", "adapters/python/answer.go", "package main" + with("example.org/m/encoding/bits"), "imports encoding/bits: not promised"},
		{"import order", "page/utils/doc.go", doc("utils"), "stands nowhere"},
		{"import order", "zebra/doc.go", doc("zebra"), "stands nowhere"},
		{"replacements", "adapters/x/README.md", "nothing\n", "does not say: go mod edit -replace example.org/m/adapters/x=FOLDER/adapters/x"},
		{"requirements", "go.mod", "module example.org/m\n\nrequire github.com/spf13/cobra v1.0.0\n", "requires github.com/spf13/cobra"},
		{"requirements", "go.mod", "module example.org/m\n\nreplace a.example/b => ../b\n", "has a line replace"},
		{"file length", "page/x_test.go", "package page\n" + strings.Repeat("\n", 500), "501 lines"},
		{"sizes", "page/x.go", "package page\n\nfunc (p *page) long() {" + strings.Repeat("\n", 80) + "}\n", "page.long has 81 lines"},
		{"sizes", "page/x.go", "package page\n\nvar long = func() {" + strings.Repeat("\n", 80) + "}\n", "long has 81 lines"},
		{"sizes", "page/x.go", "package page\n\ntype wide struct {\n\tembedded\n\t" + strings.Repeat("x, ", 19) + "x int\n}\n", "wide has 21 fields"},
		{"places", "page/x.go", "package page\n\n//every:encoding decoder\nfunc f() {}\n", "no place of internal/test/lint"},
		{"unsafe", "page/x.go", "package page" + with("unsafe"), "imports unsafe"},
		{"no fmt in kernels", "page/x.go", "package page" + with("fmt"), "imports fmt"},
		{"package comments", "page/doc.go", "package page\n", "page: no package comment"},
		{"package comments", "page/doc.go", "// Package page is one.\npackage page\n", "last paragraph"},
		{"package comments", "page/doc.go", "// " + lastWord + " this.\n//\n// More.\npackage page\n", "last paragraph"},
		{"package comments", "cmd/scan/main.go", "package main\n", "cmd/scan: no package comment"},
		{"package comments", "page/hidden/x_test.go", "package hidden\n", "only tests"},
		{"package comments", "adapters/x/doc.go", "package x\n", "adapters/x: no package comment"},
		{"top level", "Makefile", "", "Makefile"},
		{"top level", "utils/doc.go", doc("utils"), "utils/doc.go"},
		{"assembly", "encoding/plain/asm_amd64.s", "TEXT ·addAVX2(SB), 4, $0\n", "built with purego too"},
		{"assembly", "encoding/plain/more_amd64.s", "//go:build !purego\n\nTEXT ·subAVX2(SB), 4, $0\n", "no test reaches subAVX2"},
		{"assembly", "encoding/plain/more_amd64.s", "//go:build !purego\n\nTEXT ·sub(SB), 4, $0\n", "sub does not end with"},
		{"contracts of kernels", "encoding/plain/bare_amd64.go", "package plain\n\nfunc addAVX2(p *byte)\n\nfunc Add() { add() }\n\n" +
			"// add reads. Reads a; writes b.\nfunc add() { addAVX2(nil) }\n", "Add leads to addAVX2 without a check"},
		{"document lines", "docs/x.md", "one\n" + strings.Repeat("é", 121) + "\n", "docs/x.md:2: 121 characters"},
		{"document lines", "README.md", "```\n```\n- " + strings.Repeat("x", 120), "README.md:3: 122 characters"},
		{"document links", "testdata/README.md", "[x](gone.md#part)\n", "testdata/README.md:1: links to gone.md#part"},
		{"document commands", "docs/x.md", "`go test ./gone`\n", "docs/x.md: go test ./gone: no folder ./gone"},
		{"document commands", "docs/x.md", "```sh\ncd page && go vet .\ngo run ./gone\n```\n", "docs/x.md: go run ./gone: no folder ./gone"},
		{"document commands", "docs/x.md", "`go test ./page -bench Gone`\n", "docs/x.md: go test ./page -bench Gone: no Benchmark with Gone"},
		{"document commands", "docs/x.md", "`go -C gone test ./...`\n", "docs/x.md: go -C gone test ./...: no folder gone"},
		{"commands are run", "docs/x.md", "Run `go\nvet  ./page`.\n", "docs/x.md: go vet ./page: is not in .ci/documents"},
		{"commands are run", "docs/x.md", "```sh\nmake it # all\n```\n", "docs/x.md: make it: is not in .ci/documents"},
		{"commands are run", "docs/x.md", "```\n$ scan x\nits answer\n```\n", "[docs/x.md: $ scan x: is not in .ci/documents]"},
		{"commands are run", ".ci/documents", "docs/x.md\n\tgo run ./gone => run true\n", ".ci/documents: docs/x.md: go run ./gone: no longer there"},
		{"commands are run", ".ci/documents", "docs/x.md\n\tgo vet .\n", ".ci/documents: \tgo vet .: does not say how"},
		{"document names", "docs/x.md", "`page/gone.go`\n", "docs/x.md:1: names page/gone.go"},
		{"document names", "docs/x.md", "one\n`plain.gone`\n", "docs/x.md:2: names plain.gone"},
		{"document names", walkthrough, "`encoding/gone`\n", "names encoding/gone"},
		{"document names", walkthrough, "`gone.Func`\n", "names gone.Func"},
		{"document names", walkthrough, "`plain.go`\n", "names plain.go"},
		{"comment names", "page/x.go", "package page\n\n// It calls oldName.\nfunc now() {}\n", "page/x.go:3: a comment names oldName"},
		{"comment names", "page/x.go", "package page\n\nvar x = 1 // or OldNames\n", "page/x.go:3: a comment names OldNames"},
		{"comment names", "page/x.go", "package page\n\n// As plain.Gone does.\nfunc now() {}\n", "page/x.go:3: a comment names plain.Gone"},
		{"comment names", "page/x.go", "package page\n\n// As in gone.go.\nfunc now() {}\n", "page/x.go:3: a comment names gone.go"},
		{"comment names", "page/x.go", "package page\n\n// then returns it.\nfunc now() {}\n", "page/x.go:4: the comment of now begins with then"},
		{"private names", "docs/x.md", "one\nsee /wo" + "rk/here\n", "docs/x.md:2: names"},
	}
	for _, test := range tests {
		files := maps.Clone(good())
		files[test.path] = test.text
		tree := read(t, files)
		for _, rule := range Rules(Tables{}) {
			faults := fmt.Sprint(rule.Check(tree))
			if rule.Name == test.rule && !strings.Contains(faults, test.want) {
				t.Errorf("%s: with %s %q: %s, want %q", rule.Name, test.path, test.text, faults, test.want)
			}
		}
	}
	for _, rule := range Rules(Tables{}) {
		if !strings.Contains(fmt.Sprint(tests), "{"+rule.Name+" ") {
			t.Errorf("%s: nothing shows that it can fail", rule.Name)
		}
	}
}

// Frozen types are listed, named by what is frozen, and name nothing else themselves.
func TestFrozenTypes(t *testing.T) {
	for _, test := range []struct {
		text string              // of package page
		told map[string][]string // the frozen types
		want []string            // faults, in order
	}{
		{"type Page struct{ N int; own *hidden }", map[string][]string{"page": {"Page"}}, nil},
		{"type Page struct{ N int }\n\nfunc (p *Page) Of(more ...Other) {}\n\ntype Other int", map[string][]string{"page": {"Page"}},
			[]string{"page: method (*Page) Of(more ...Other) names page.Other, which is not frozen"}},
		{"type Page struct{ N int }\n\nfunc (p *Page) Of(more ...Other) {}\n\ntype Other int\n\nconst One Other = 1", map[string][]string{"page": {"Page", "Other"}}, nil},
		{"type Page struct{ N int }\n\ntype Other int", map[string][]string{"page": {"Page", "Other"}},
			[]string{"page.Other: nothing that is frozen names it"}},
		{"type Page struct{ T wire.Type }", map[string][]string{"page": {"Page"}, "page/wire": {"Type"}},
			[]string{"page: field Page.T wire.Type names page/wire.Type, which is generated"}},
		{"type Page int", nil, []string{"filter: func Exported(p []page.Page) names page.Page, which is not frozen"}},
	} {
		files := good()
		files["filter/x.go"] = "package filter\n\nimport \"example.org/m/page\"\n\nfunc Exported(p []page.Page) {}\n"
		files["page/x.go"] = "package page\n\nimport \"example.org/m/page/wire\"\n\n" + test.text + "\n"
		files["page/wire/zpage.go"] = "package wire\n\ntype Type int\n"
		tree := read(t, files)
		lists := TypesAPI(tree, test.told)
		files["docs/api/filter.txt"], files[TypesFile] = API(tree, "filter"), lists
		if faults := frozenAPI(read(t, files), test.told); !slices.Equal(faults, test.want) {
			t.Errorf("%s: %q, want %q", test.text, faults, test.want)
		}
		if test.told == nil {
			continue
		}
		files[TypesFile] = strings.Replace(lists, "type Page struct\n", "", 1)
		if faults := fmt.Sprint(frozenAPI(read(t, files), test.told)); !strings.Contains(faults, "frozen types of other packages: its exported names are not those of docs/api/other-types.txt (+ ") {
			t.Errorf("%s, with a line too few: %s", test.text, faults)
		}
	}
}

// A type of the promise may be defined as an internal one that shows nothing.
func TestFrozenTypesDefinedAsInternalOnes(t *testing.T) {
	for text, want := range map[string]int{
		"type Expr struct{ left any }\n\nfunc (e *Expr) Left() any { return e.left }": 0,
		"type Expr struct{ Left any }": 1,
	} {
		files := good()
		files["filter/x.go"] = "package filter\n\nimport \"example.org/m/filter/internal/tree\"\n\ntype Expr tree.Expr\n"
		files["filter/internal/tree/x.go"] = "package tree\n\n" + text + "\n"
		files["docs/api/filter.txt"] = API(read(t, files), "filter")
		if faults := frozenAPI(read(t, files), nil); len(faults) != want {
			t.Errorf("%s: %q, want %d faults", text, faults, want)
		}
	}
}

func TestLargeOnesEntriesAreNeededUsedAndFew(t *testing.T) {
	files := good()
	files["page/long.go"] = "package page\n\nfunc long() {" + strings.Repeat("\n", 80) + "}\n\nfunc short() {" + strings.Repeat("\n", 79) + "}\n"
	files["internal/test/gen/long.go"] = files["page/long.go"]
	files["page/zlong.go"] = files["page/long.go"]
	files["page/long_test.go"] = files["page/long.go"]
	tree := read(t, files)
	why := map[string]string{"page.long": "a table"}
	if faults := sizes(tree, why); len(faults) > 0 {
		t.Errorf("with its entry: %q", faults)
	}
	files["internal/cli/long.go"] = files["page/long.go"]
	if faults := sizes(read(t, files), why); len(faults) != 1 {
		t.Errorf("in internal/cli: %q", faults)
	}
	for _, name := range []string{"page.short", "page.a", "page.b", "page.c", "page.d"} {
		why[name] = "none"
	}
	if faults := sizes(tree, why); len(faults) != 6 {
		t.Errorf("with five entries too many: %q", faults)
	}
}

// A tree in which the encoding B is missing wherever it can be.
func TestPlacesNameWhatIsMissing(t *testing.T) {
	list := func(names string) string { return "enum Encoding {\n" + names + "} // the end\n" }
	code := "package page\n\n//every:encoding decoder\nfunc f() int { return wire.Encoding_A_A }\n\n//every:encoding decoder\nfunc g() string { return \"no aA, but bB.\" }\n"
	of := func(idl, code, readme string) string {
		files := good()
		files["thrift/parquet.thrift"], files["page/x.go"], files["README.md"] = idl, code, readme
		faults := places(read(t, files), []Listing{{
			What: "encoding", From: "thrift/parquet.thrift: enum Encoding", Trim: []string{"Encoding_"},
			Every: []string{"decoder"}, Files: map[string]string{"README.md": ""},
		}})
		return fmt.Sprint(faults)
	}
	two := list("  A_A = 0 // B_B = 9\n\n  B_B = 1\n")
	marked := func(but string) string { return strings.Replace(code, "decoder\n", "decoder"+but+"\n", 1) }
	for _, c := range []struct{ idl, code, readme, want string }{
		{two, code, "A_A, B_B", ""},
		{two, code, "A_A, the B [NOT] B", ""},
		{two, code, "A_A, B, B", "README.md: encoding B_B is missing"},
		{two, code, "A_A, B_BB", "README.md: encoding B_B is missing (as a word, joined or in words; Files in internal/test/lint/places.go leaves out others)"},
		{list("  A_A = 0\n  B_B = 1\n  C_C = 2\n"), code, "A_A B_B C_C", "page/x.go:3: encoding C_C is missing (//every:encoding decoder, or page/x.go:6)"},
		{list("  A_A = 0\n  B_B = 1\n  C_C = 2\n"), marked(" but C_C (no values)"), "A_A B_B C_C", ""},
		{two, marked(" but C_C (no values)"), "A_A B_B", "leaves out cc, which is no encoding"},
		{two, marked(" but B_B (no values)"), "A_A B_B", "leaves out B_B and has it"},
		{two, marked(" but B_B"), "A_A B_B", "does not say (why)"},
		{two, strings.ReplaceAll(code, "decoder\n", "decoder\n\n"), "A_A B_B", "marks no code"},
		{two, strings.ReplaceAll(code, "decoder", "decoders"), "A_A B_B", "nothing is marked //every:encoding decoder"},
		{two, strings.ReplaceAll(code, "decoder", "decoders"), "A_A B_B", "//every:encoding decoders is no place"},
		{"", code, "A_A B_B", "no names of the listing encoding"},
	} {
		if faults := of(c.idl, c.code, c.readme); !strings.Contains(faults, c.want) || c.want == "" && faults != "[]" {
			t.Errorf("%q, %q, %q: %s, want %q", c.idl, c.code, c.readme, faults, c.want)
		}
	}
}

// What only has a bound must know the last name; names of Go start in the line with iota.
func TestPlacesKnowTheLast(t *testing.T) {
	for code, want := range map[string]string{
		"kindB + 1": "[]", "kindA + 1": "[page/y.go:3: kind B is missing (//last:kind bound)]",
	} {
		files := good()
		files["page/x.go"] = "package page\n\nconst (\n\tkindA kind = iota // as ) says\n\tkindB\n)\n"
		files["page/y.go"] = "package page\n\n//last:kind bound\nconst kinds = " + code + "\n"
		faults := places(read(t, files), []Listing{{What: "kind", From: "page/x.go: kind = iota", Trim: []string{"kind"}, Last: []string{"bound"}}})
		if got := fmt.Sprint(faults); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

// Marks reach nested modules, where one above a package's name is one of the file, and Python.
func TestPlacesInAdapters(t *testing.T) {
	for path, of := range map[string][2]string{ // what stands above the mark, and below it
		"adapters/x/where.py": {"kinds = \"kindB\"\n\n# every:kind far", "\ndef f(\n    \"kindC\"\n):\n\n    return "},
		"adapters/x/where.go": {"//every:kind far", "\npackage x\n\nconst a = "},
	} {
		for text, want := range map[string]string{
			of[0] + of[1] + "\"KindA kindB\"\n":             "[]",
			of[0] + of[1] + "\"KindA\"\n":                   "kind B is missing (//every:kind far)]",
			of[0] + " but B (none)" + of[1] + "\"KindA\"\n": "[]",
			of[0] + " but B" + of[1] + "\"KindA\"\n":        "marks no code, or does not say (why) it leaves out names",
			of[1] + "\"KindA\"\n":                           "[nothing is marked //every:kind far]",
		} {
			files := good()
			files["page/x.go"], files[path] = "package page\n\nconst (\n\tkindA kind = iota\n\tkindB\n)\n", text
			faults := fmt.Sprint(places(read(t, files), []Listing{{What: "kind", From: "page/x.go: kind = iota", Trim: []string{"kind", "Kind"}, Every: []string{"far"}}}))
			if !strings.Contains(faults, want) {
				t.Errorf("%s: %q: %s, want %s", path, text, faults, want)
			}
		}
	}
}

// The packages of the drawing exist, or are rooms that the design has and
// nobody has built yet.
func TestDrawingHasNoStrayNames(t *testing.T) {
	tree, err := Read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	planned := []string{
		"column", "column/pred", "column/assemble", "filter", "pageindex", "scanner",
		"encoding/rle", "encoding/delta", "encoding/alp", "internal/test/hostile",
	}
	var dirs []string
	for _, p := range tree.packages() {
		dirs = append(dirs, p.Dir)
	}
	for _, name := range parseOrder(order).known {
		if strings.Contains(name, ".") || strings.HasSuffix(name, "*") {
			continue
		}
		if !matches(dirs, name) && !matches(planned, name) {
			t.Errorf("%s: in the drawing, not in the tree", name)
		}
	}
}
