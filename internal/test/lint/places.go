package lint

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"strconv"
	"strings"
)

// A Listing is a set of names that grows with the format, and the places that must know
// each of them. A place is a declaration or statement under a comment of its own:
//
//	//every:encoding decoder
//	func NewDecoder(…)
//
// It may leave out names, and says why:
//
//	//every:encoding dump but BIT_PACKED (levels only)
//
// Places of the same name are one: each name stands in one of them at least. A whole file is
// marked above its package's name. In Python, the mark is "# every:…". A place that only knows
// where the names end says so, and must know the last one:
//
//	//last:encoding bound
type Listing struct {
	What  string
	From  string            // "PATH: first words" of the declaration, of Thrift or of Go, that has the names
	Trim  []string          // what stands before or behind the names in Go: EncodingALP, Encoding_ALP, KindDate, DateType
	Other map[string]string // how a name is spelt elsewhere
	Every []string          // the places that must know each
	Last  []string          // those that must know the last
	Files map[string]string // files (of words) and packages "…/" that must name each, and what they leave out, or say by signs
}

// listings are read by those who add an encoding, a codec, a logical type or a predicate:
// docs/CONTRIBUTING.md leads through the places in this order.
func listings() []Listing {
	return []Listing{
		{
			What: "encoding", From: "thrift/parquet.thrift: enum Encoding", Trim: []string{"Encoding_", "Encoding"},
			Other: map[string]string{"RLE_DICTIONARY": "Dictionary"},
			Last:  []string{"bound"},
			Every: []string{
				"constant", "writer", "writer number", "encoder", "types", "naive", "sample file",
				"decoder", "shown body", "same bytes", "gather cost", "kept", "batch size", "dump",
				"hostile file", "hostile reader", "oracle table",
			},
			Files: map[string]string{"docs/format.md": ""},
		},
		{
			What: "codec", From: "thrift/parquet.thrift: enum CompressionCodec", Trim: []string{"CompressionCodec_", "Codec"},
			Other: map[string]string{"LZ4": "LZ4Hadoop"},
			Last:  []string{"bound", "empty body"},
			Every: []string{
				"constant", "decoder", "packing", "page fuzz",
				"writer", "writer number", "encoder", "reference", "sample file", "hostile file",
			},
			Files: map[string]string{"docs/format.md": "", "page/codec/doc.go": ""},
		},
		{
			What: "logical", From: "thrift/parquet.thrift: union LogicalType", Trim: []string{"Kind", "Logical", "Type"},
			Other: map[string]string{"UNKNOWN": "Null", "INTEGER": "Int"},
			Every: []string{
				"arm", "footer test", "writer", "writer union", "schema", "physical type", "schema test",
				"vector", "annotation", "text",
				"statistics order", "filter order", "scalar order", "conversion", "struct field", "literal", "sample file", "oracle", "arrow",
			},
			Files: map[string]string{"docs/format.md": ""},
		},
		{
			What: "predicate", From: "column/pred/test.go: Kind = iota",
			Other: map[string]string{"Range": "Ints", "Like": "LikePattern", "Set": "InInts"},
			Every: []string{"filter", "value", "string match", "random question"},
			Files: map[string]string{"column/pred/doc.go": ""},
		},
		{
			What: "condition", From: "filter/internal/tree/condition.go: Op = iota",
			Other: map[string]string{"BooleanColumn": "Bool", "Is": "IsTrue", "Compare": "Eq"},
			Every: []string{
				"bind", "parse", "print", "parentheses", "twin", "naive", "oracle table",
				"iceberg", "polars", "spark", "sqlite", "substrait",
			},
			Files: map[string]string{
				"filter/expr.go": "Constant",
				"filter/doc.go":  "Match", "internal/cli/guide/where.go": "Match Func Keys",
				"filter/compile/coerce_test.go":     "Constant Match",
				"filter/compile/errors_test.go":     "Constant Between Match Prefix Suffix Contains",
				"internal/test/naive/where_test.go": "Between Match Prefix Suffix Contains Keys",
				"internal/cli/testdata/where.txt":   "Constant BooleanColumn Match Prefix Suffix Contains Func",
			},
		},
		{
			What: "step", From: "filter/internal/tree/step.go: StepOp = iota",
			Other: map[string]string{"Calculate": "Add", "Cast": "CastDate"},
			Every: []string{"print", "parse", "bind", "twin", "naive", "oracle"},
			Files: map[string]string{
				"filter/expr.go":              "Cast",
				"filter/roundtrip_test.go":    "Cast",
				"filter/doc.go":               "Calculate Call",
				"internal/cli/guide/where.go": "Calculate Call",
			},
		},
	}
}

// Places wants each place of each listing, and each name in it.
func places(t *Tree, all []Listing) (faults []string) {
	marks, faults := marksOf(t)
	for _, l := range all {
		names, err := l.names(t)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		for i, at := range [][]string{l.Every, l.Last} {
			for _, label := range at {
				key := [...]string{"every:", "last:"}[i] + l.What + " " + label
				here := marks[key]
				delete(marks, key)
				if here == nil {
					faults = append(faults, "nothing is marked //"+key)
					continue
				}
				wanted := names
				if i == 1 {
					wanted = names[len(names)-1:]
				}
				faults = append(faults, l.missing(here, wanted, "//"+key)...)
			}
		}
		for path, but := range l.Files {
			here := &mark{where: path, but: strings.Fields(but), known: map[string]bool{}}
			for _, f := range t.Files {
				if f.Path == path {
					here.addWords(f.Text)
				} else if f.Go != nil && f.dir()+"/" == path {
					here.add(f.Go)
				}
			}
			faults = append(faults, l.missing(here, names, "as a word, joined or in words; Files in internal/test/lint/places.go leaves out others")...)
		}
	}
	for key, m := range marks {
		faults = append(faults, m.where+": //"+key+" is no place of internal/test/lint")
	}
	return faults
}

// names returns the names of l where they are declared.
func (l *Listing) names(t *Tree) (names []string, err error) {
	path, begin, _ := strings.Cut(l.From, ": ")
	for _, f := range t.Files {
		if f.Path != path {
			continue
		}
		in := false
		for line := range strings.Lines(f.Text) {
			words := strings.Fields(strings.Split(line, "//")[0])
			switch {
			case !in && strings.Contains(line, begin):
				if in = true; f.Go != nil { // the line has the first name
					names = append(names, words[0])
				}
			case !in || len(words) == 0:
			case words[0] == "}" || words[0] == ")":
				in = false
			case f.Go != nil:
				names = append(names, words[0])
			case words[1] == "=": // NAME = 1
				names = append(names, words[0])
			default: // 1: Type NAME
				names = append(names, words[len(words)-1])
			}
		}
	}
	for i := range names {
		names[i] = l.trimmed(names[i])
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no names of the listing %s", l.From, l.What)
	}
	return names, nil
}

// missing returns a fault for each of names that m does not know.
func (l *Listing) missing(m *mark, names []string, place string) (faults []string) {
	left := map[string]bool{}
	for _, name := range m.but {
		left[folded(name)] = true
	}
	known := map[string]bool{}
	for word := range m.known {
		known[folded(l.trimmed(word))] = true
		known[folded(word)] = true
	}
	for _, name := range names {
		switch knows := known[folded(name)] || l.Other[name] != "" && known[folded(l.Other[name])]; {
		case knows && left[folded(name)]:
			faults = append(faults, m.where+": "+place+" leaves out "+name+" and has it")
		case !knows && !left[folded(name)]:
			faults = append(faults, m.where+": "+l.What+" "+name+" is missing ("+strings.Join(append([]string{place}, m.also...), ", or ")+")")
		}
		delete(left, folded(name))
	}
	if len(names) > 1 {
		for name := range left {
			faults = append(faults, m.where+": "+place+" leaves out "+name+", which is no "+l.What)
		}
	}
	return faults
}

func (l *Listing) trimmed(word string) string {
	for _, p := range l.Trim {
		if rest := strings.TrimSuffix(strings.TrimPrefix(word, p), p); rest != "" {
			word = rest
		}
	}
	return word
}

// folded makes one of BYTE_STREAM_SPLIT and ByteStreamSplit.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// mark is a place: all code that is marked with its name.
type mark struct {
	where string          // of the first mark
	also  []string        // of the others
	but   []string        // names that it may leave out
	known map[string]bool // identifiers and words of strings in it, also two of them as one
}

func (m *mark) add(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			m.known[n.Name] = true
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				m.addWords(s)
			}
		}
		return true
	})
}

var (
	word     = regexp.MustCompile(`\w+`)
	optional = regexp.MustCompile(`\[[A-Z]+\] `) // as the grammar has [NOT]
)

// addWords adds the words of a text, and each two with a space between them as one: IsNull of IS [NOT] NULL.
func (m *mark) addWords(text string) {
	for _, text := range []string{text, optional.ReplaceAllString(text, "")} {
		last, end := "", 0
		for _, at := range word.FindAllStringIndex(text, -1) {
			w := text[at[0]:at[1]]
			m.known[w] = true
			if text[end:at[0]] == " " {
				m.known[last+w] = true
			}
			last, end = w, at[1]
		}
	}
}

// marksOf returns what is marked in t, by what the marks say: "every:codec decoder".
func marksOf(t *Tree) (marks map[string]*mark, faults []string) {
	marks = map[string]*mark{}
	for _, f := range t.Files {
		for _, c := range f.marks() {
			key, but, _ := strings.Cut(c.text, " but ")
			but, why, _ := strings.Cut(but, " (")
			where := fmt.Sprintf("%s:%d", f.Path, c.line)
			if c.known == nil || (but != "") != strings.HasSuffix(why, ")") {
				faults = append(faults, where+": marks no code, or does not say (why) it leaves out names")
				continue
			}
			m := marks[key]
			if m == nil {
				m = &mark{where: where, known: map[string]bool{}}
				marks[key] = m
			} else {
				m.also = append(m.also, where)
			}
			m.but = append(m.but, strings.Fields(but)...)
			maps.Copy(m.known, c.known)
		}
	}
	return marks, faults
}

// markComment is the comment of a mark, with what it says.
type markComment struct {
	text  string
	line  int
	known map[string]bool // what the code below it knows; nil: there is none
}

// pythonMark is a mark in Python, and the block below it: up to a line that begins something else.
var pythonMark = regexp.MustCompile(`(?m)^# ((?:every|last):.*)\n(\S.*\n(?:(?:[ )}\]].*)?\n)*)`)

// marks returns the marks of a file. One above the package's name marks all of it.
func (f *File) marks() (all []markComment) {
	if strings.HasSuffix(f.Path, ".py") {
		for _, at := range pythonMark.FindAllStringSubmatchIndex(f.Text, -1) {
			below := &mark{known: map[string]bool{}}
			below.addWords(f.Text[at[4]:at[5]])
			all = append(all, markComment{f.Text[at[2]:at[3]], 1 + strings.Count(f.Text[:at[0]], "\n"), below.known})
		}
	}
	if f.Go == nil {
		return all
	}
	for _, group := range f.Go.Comments {
		for _, c := range group.List {
			text := strings.TrimPrefix(c.Text, "//")
			if !strings.HasPrefix(text, "every:") && !strings.HasPrefix(text, "last:") {
				continue
			}
			at := markComment{text: text, line: f.line(c.Pos())}
			if code := f.below(group.End()); code != nil {
				below := &mark{known: map[string]bool{}}
				below.add(code)
				at.known = below.known
			}
			all = append(all, at)
		}
	}
	return all
}

// below returns the outermost declaration, statement or field that starts in the line behind
// the comment that ends at end; the file, if its package is named there.
func (f *File) below(end token.Pos) (found ast.Node) {
	line := f.line(end) + 1
	ast.Inspect(f.Go, func(n ast.Node) bool {
		if n == nil || found != nil {
			return false
		}
		if _, ok := n.(*ast.CommentGroup); !ok && f.line(n.Pos()) == line {
			found = n
		}
		return found == nil && f.line(n.End()) >= line
	})
	return found
}
