package scanner_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// truth is a condition's value: 1 TRUE, 0 FALSE, -1 NULL.
type truth int

func truthOf(b bool) truth {
	if b {
		return 1
	}
	return 0
}

func (t truth) not() truth { return [...]truth{-1, 1, 0}[t+1] }

// pathCase is a condition on a path, and what it is of a value there, as Go has it: nil is NULL, or none.
type pathCase struct {
	text string
	of   func(x any) truth
}

func numberOf(x any) (n *big.Rat, ok bool) {
	switch x := x.(type) {
	case int64:
		return new(big.Rat).SetInt64(x), true
	case float64:
		return new(big.Rat).SetFloat64(x), true
	case *big.Rat:
		return x, true
	}
	return nil, false
}

// orderOf compares two numbers, strings or booleans; ok is false for others.
func orderOf(x, y any) (order int, ok bool) {
	if a, ok := numberOf(x); ok {
		b, ok := numberOf(y)
		if !ok {
			return 0, false
		}
		return a.Cmp(b), true
	}
	switch a := x.(type) {
	case string:
		b, ok := y.(string)
		return strings.Compare(a, b), ok
	case bool:
		b, ok := y.(bool)
		return int(truthOf(a)) - int(truthOf(b)), ok
	}
	return 0, false
}

// castOf is a TRY_CAST of a value to VARCHAR, or to INTEGER.
func castOf(x any, text bool) any {
	switch x := x.(type) {
	case int64:
		if text {
			return strconv.FormatInt(x, 10)
		}
		return x
	case float64:
		if text {
			return strconv.FormatFloat(x, 'f', 1, 64)
		}
		return int64(math.RoundToEven(x))
	case bool:
		if text {
			return strconv.FormatBool(x)
		}
		return int64(truthOf(x))
	case *big.Rat:
		if text {
			return x.FloatString(2)
		}
		n, _ := strconv.ParseInt(x.FloatString(0), 10, 64)
		return n
	case string:
		if text {
			return x
		}
	}
	return nil
}

// condition returns a random condition on the value that the text path stands for.
func (s *shredding) condition(path string) pathCase {
	literal := func() (string, any) {
		switch n := s.r.IntN(130) - 1; s.r.IntN(6) {
		case 0:
			word := strings.Repeat("w", s.r.IntN(6))
			return "'" + word + "'", word
		case 1:
			return strconv.FormatBool(n%2 == 0), n%2 == 0
		case 2:
			return fmt.Sprintf("%d.%02d", n/100, max(n%100, 0)), big.NewRat(int64(n/100*100+max(n%100, 0)), 100)
		default:
			return strconv.Itoa(n), int64(n)
		}
	}
	cast := func(x any) any { return x }
	l, y := literal()
	switch s.r.IntN(5) {
	case 0:
		path, cast = path+"::INT", func(x any) any { return castOf(x, false) }
		l, y = strconv.Itoa(s.r.IntN(130)), nil
		n, _ := strconv.Atoi(l)
		y = int64(n)
	case 1:
		path, cast = "CAST("+path+" AS VARCHAR)", func(x any) any { return castOf(x, true) }
		y = []any{"1", "12", "w", "true", "0.0", "0.05"}[s.r.IntN(6)]
		l = "'" + y.(string) + "'"
	}
	compare := func(holds func(order int) bool, y any) func(x any) truth {
		return func(x any) truth {
			order, ok := orderOf(cast(x), y)
			if !ok {
				return -1
			}
			return truthOf(holds(order))
		}
	}
	switch s.r.IntN(9) {
	case 0:
		return pathCase{path + " IS NULL", func(x any) truth { return truthOf(cast(x) == nil) }}
	case 1:
		return pathCase{path + " IS NOT NULL", func(x any) truth { return truthOf(cast(x) != nil) }}
	case 2:
		l2, y2 := l, y
		if path[0] == 'v' && !strings.Contains(path, "::") {
			l2, y2 = literal()
		}
		in := func(x any) truth {
			out := truth(0)
			for _, y := range []any{y, y2} {
				if t := compare(func(o int) bool { return o == 0 }, y)(x); t == 1 || out == 0 && t == -1 {
					if out = t; t == 1 {
						break
					}
				}
			}
			return out
		}
		if s.r.IntN(2) == 0 {
			return pathCase{path + " NOT IN (" + l + ", " + l2 + ")", func(x any) truth { return in(x).not() }}
		}
		return pathCase{path + " IN (" + l + ", " + l2 + ")", in}
	case 3:
		if n, ok := y.(int64); ok {
			from, to := compare(func(o int) bool { return o >= 0 }, y), compare(func(o int) bool { return o <= 0 }, n+20)
			return pathCase{fmt.Sprint(path, " BETWEEN ", n, " AND ", n+20), func(x any) truth { return min(from(x), to(x)) }}
		}
	case 4:
		if !strings.Contains(path, ":") {
			n := s.r.IntN(5)
			return pathCase{path + " LIKE 'w" + strings.Repeat("_", n) + "%'", func(x any) truth {
				if word, ok := cast(x).(string); ok {
					return truthOf(strings.HasPrefix(word, "w") && len(word) > n)
				}
				return -1
			}}
		}
	}
	is := s.r.IntN(6)
	holds := []func(o int) bool{func(o int) bool { return o == 0 }, func(o int) bool { return o != 0 }, func(o int) bool { return o < 0 },
		func(o int) bool { return o <= 0 }, func(o int) bool { return o > 0 }, func(o int) bool { return o >= 0 }}[is]
	return pathCase{path + " " + []string{"=", "<>", "<", "<=", ">", ">="}[is] + " " + l, compare(holds, y)}
}

// path returns a random path into v, as text, and what finds the value there.
func (s *shredding) path() (text string, find func(x any) any) {
	text, find = "v", func(x any) any { return x }
	for n := s.r.IntN(4); n > 0; n-- {
		before, name, at := find, s.names[s.r.IntN(len(s.names))], s.r.IntN(7)-2
		switch s.r.IntN(4) {
		case 0:
			text += fmt.Sprintf("[%d]", at)
			find = func(x any) any {
				items, _ := before(x).([]any)
				i := at - 1
				if at < 0 {
					i = len(items) + at
				}
				if at == 0 || i < 0 || i >= len(items) {
					return nil
				}
				return items[i]
			}
			continue
		case 1:
			text += "['" + name + "']"
		default:
			text += `."` + name + `"`
		}
		find = func(x any) any {
			fields, _ := before(x).(map[string]any)
			return fields[name]
		}
	}
	return text, find
}

// variant returns a VARIANT shredded as p says, and the metadata of its values.
func (s *shredding) variant(p *shape) (metadata []byte, v *gen.Node) {
	metadata = []byte{1 | 16, byte(len(s.names)), 0}
	for i := range s.names {
		metadata = append(metadata, byte(len(strings.Join(s.names[:i+1], ""))))
	}
	metadata = append(metadata, strings.Join(s.names, "")...)
	v = gen.Optional("v", gen.Group, append([]*gen.Node{gen.Required("metadata", gen.ByteArray)}, p.nodes()...)...)
	return metadata, v.As(gen.Logical{Kind: gen.KindVariant})
}

// file returns a random file, of whose rows many are not shredded, and their values as Go has them.
func (s *shredding) file(t *testing.T, rows int) (b []byte, values []any) {
	t.Helper()
	p := s.shape(0)
	metadata, group := s.variant(p)
	file := gen.File{
		All:    gen.Column{Shape: gen.Shape{CRC: gen.NoCRC, Version: 1 + s.r.IntN(2)}, PageRows: []int{1 + s.r.IntN(6), 1 + s.r.IntN(9)}, Bloom: 32 * s.r.IntN(2)},
		Schema: []*gen.Node{gen.Required("i", gen.Int64), group},
	}
	if s.r.IntN(3) == 0 {
		file.All.Index = gen.NoIndex
	}
	for at := 0; at < rows; {
		var records []any
		of := p
		for range 1 + s.r.IntN(rows/2) {
			if s.r.IntN(4) == 0 { // runs of rows that are shredded, and that are not
				if of = p; s.r.IntN(2) == 0 {
					of = &shape{}
				}
			}
			stored, _, _ := s.value(of, 0)
			stored["metadata"] = metadata
			row := gen.Record{"i": int64(at), "v": stored}
			if s.r.IntN(10) == 0 {
				row["v"] = nil
			}
			records = append(records, row)
			at++
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: records})
	}
	b = scannertest.Write(t, file)
	f, err := opened(t, b)
	if err != nil {
		t.Fatal(err)
	}
	return b, nativesOf(t, f, "v")
}

func opened(t *testing.T, b []byte) (*scanner.File, error) {
	return scanner.OpenSource(t.Context(), "v", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
}

// nativesOf returns the values of a VARIANT column, which are put together whole.
func nativesOf(t *testing.T, f *scanner.File, column string) (values []any) {
	t.Helper()
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{column}}) {
		if err != nil {
			t.Fatal(err)
		}
		variants, err := b.Fields[0].Variants()
		if err != nil {
			t.Fatal(err)
		}
		variants.Use(b.Columns[0])
		for i := range b.Len {
			x, err := variants.Native(i)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, x)
		}
	}
	return values
}

// passingRows returns the numbers in column i of the rows that pass a condition.
func passingRows(t *testing.T, f *scanner.File, condition string) (rows []int64, err error) {
	t.Helper()
	e, err := filter.Parse(condition)
	if err != nil {
		t.Fatalf("%s: %v", condition, err)
	}
	if again, err := filter.Parse(e.String()); err != nil || again.String() != e.String() {
		t.Errorf("%s is printed as %s: %v", condition, e, err)
	}
	for b, err := range f.Scan(t.Context(), scanner.Options{Select: []string{"i"}, Filter: e}) {
		if err != nil {
			return nil, err
		}
		b.Columns[0].Flatten()
		rows = append(rows, b.Columns[0].Int64s...)
	}
	return rows, nil
}

// Conditions on paths pass the rows that they pass where whole values are looked at, however the values are stored.
func TestVariantPaths(t *testing.T) {
	passed, some := 0, 0
	for seed := range dtest.Rounds(t, 40) {
		s := &shredding{rand.New(rand.NewPCG(uint64(seed), 48)), []string{"", "a", "b c", "typed_value", "value", "é"}}
		file, values := s.file(t, 60)
		f, err := opened(t, file)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			path, find := s.path()
			c := s.condition(path)
			condition, of := c.text, func(x any) truth { return c.of(find(x)) }
			if s.r.IntN(3) == 0 {
				before := of
				condition, of = "NOT "+condition, func(x any) truth { return before(x).not() }
			}
			if s.r.IntN(3) == 0 {
				path, find := s.path()
				other, before := s.condition(path), of
				either := func(a, b truth) truth {
					if a+b == -1 { // FALSE and NULL
						return -1
					}
					return max(a, b)
				}
				if condition += " OR " + other.text; s.r.IntN(2) == 0 {
					of = func(x any) truth { return either(before(x), other.of(find(x))) }
				} else {
					condition = strings.Replace(condition, " OR "+other.text, " AND "+other.text, 1)
					of = func(x any) truth { return either(before(x).not(), other.of(find(x)).not()).not() }
				}
			}
			if strings.Contains(condition, "v IS ") {
				continue // of the whole column, as it is stored
			}
			var want []int64
			for i, x := range values {
				if of(x) == 1 {
					want = append(want, int64(i))
				}
			}
			got, err := passingRows(t, f, condition)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s passes rows %v, %v; want %v", seed, condition, got, err, want)
			}
			if passed++; len(want) > 0 && len(want) < len(values) {
				some++
			}
			damaged := slices.Clone(file)
			damaged[s.r.IntN(len(file))] ^= 1 << s.r.IntN(8)
			if f, err := opened(t, damaged); err == nil {
				passingRows(t, f, condition) // an error, or rows, but no panic
			}
		}
	}
	if some < passed/8 {
		t.Errorf("%d of %d conditions pass some rows", some, passed)
	}
}

// What no value passes for its type is an error, and so is what paths are not tested for.
func TestVariantPathErrors(t *testing.T) {
	s := &shredding{rand.New(rand.NewPCG(1, 48)), []string{"a"}}
	b, _ := s.file(t, 4)
	f, err := opened(t, b)
	if err != nil {
		t.Fatal(err)
	}
	for condition, want := range map[string]string{
		"v.a = INTERVAL '1 day'": "cannot be compared with an interval", "v.a::DATE = 3": "cannot be compared with a number", "lower(v.a) > 3": "cannot be compared with a number",
		"v.a = v.b": "compared with constants", "i > v.a": "compared with constants", "sqrt(v.a) > 2": "compared with constants", "ANY(v.a) = 3": "name an item", "i[1] = 2": "no map",
	} {
		if _, err := passingRows(t, f, condition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error that %s", condition, err, want)
		}
	}
}

// Each value of the corpus' shredded variants, and each of its fields, is found by its path.
func TestCorpusVariantPaths(t *testing.T) {
	corpusFiles(t) // skips without a corpus
	names, err := filepath.Glob(filepath.Join(corpus, "parquet-testing", "shredded_variant", "*.parquet"))
	if err != nil || len(names) < 100 {
		t.Fatal(len(names), err)
	}
	found := 0
	for _, name := range names {
		f, err := scanner.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := spelledVariants(t, f, "var", scanner.Options{}); err != nil {
			continue // a case that fails
		}
		for row, x := range nativesOf(t, f, "var") {
			eachPath("var", x, func(path string, x any) {
				e, err := filter.Parse(path + " IS NOT NULL")
				if err != nil {
					t.Fatal(err)
				}
				if word, ok := x.(string); ok {
					if e, err = filter.Parse(path + " = '" + strings.ReplaceAll(word, "'", "''") + "'"); err != nil {
						t.Fatal(err)
					}
				}
				n, err := f.Count(t.Context(), scanner.Options{Filter: e})
				if err != nil || n == 0 {
					t.Errorf("%s, row %d: %s of %v: %d rows, %v", filepath.Base(name), row, e, x, n, err)
				}
				found++
			})
		}
		f.Close()
	}
	if found < 150 {
		t.Errorf("%d values", found)
	}
}

// eachPath calls do for each value in x that is not NULL, with its path.
func eachPath(path string, x any, do func(path string, x any)) {
	if x == nil {
		return
	}
	do(path, x)
	switch x := x.(type) {
	case map[string]any:
		for name, field := range x {
			eachPath(path+"['"+name+"']", field, do)
		}
	case []any:
		for i, item := range x {
			eachPath(fmt.Sprintf("%s[%d]", path, i+1), item, do)
		}
	}
}
