//go:build amd64 || arm64

package scanner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// stored is a column s of which nothing is compressed, in three row groups.
type stored struct {
	name    string
	node    *gen.Node
	column  gen.Column
	value   func(r *rand.Rand) any
	filters []string
	ordered bool
	rows    int // of each row group
	groups  int // 3, if there are not more
}

// storedColumns are what kernels in assembly decode, test and skip, and what is
// decoded without. By default it is every type in every encoding with two of its filters;
// WINNOW_ROUNDS=5 brings all, optional and not.
func storedColumns(t *testing.T) []stored {
	t.Helper()
	letters := "abcdefgh"
	word := func(r *rand.Rand, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	int32s := func(r *rand.Rand) any { return int32(r.Uint32()) }
	int64s := func(r *rand.Rand) any { return int64(r.Uint64()) }
	float32s := func(r *rand.Rand) any { return float32(r.NormFloat64()) }
	float64s := func(r *rand.Rand) any { return r.NormFloat64() }
	texts := func(r *rand.Rand) any { return word(r, r.IntN(40)) }
	number := []string{"s > 0", "s <> 1", "s IN (1, 2, 3)", "s IS NULL OR s < 0"}
	text := []string{"s > 'b'", "s = 'abcabc'", "s LIKE 'ab%'", "s LIKE '%abc%'", "s LIKE '%h'", "s LIKE 'a%b_c'", "s BETWEEN 'aab' AND 'ab'"}
	shape := func(e gen.Encoding) gen.Column { return gen.Column{Shape: gen.Shape{Encoding: e}} }
	var all []stored
	for _, k := range []struct {
		name      string
		typ       gen.Type
		logical   gen.Logical
		length    int32
		value     func(r *rand.Rand) any
		filters   []string
		encodings []gen.Encoding // nil: all that the type has
	}{
		{"boolean", gen.Boolean, gen.Logical{}, 0, func(r *rand.Rand) any { return r.IntN(2) == 0 }, []string{"s = true", "s IS NULL OR NOT s"}, nil},
		{"int32", gen.Int32, gen.Logical{}, 0, int32s, number, nil},
		{"int64", gen.Int64, gen.Logical{}, 0, int64s, number, nil},
		{"float", gen.Float, gen.Logical{}, 0, float32s, number, nil},
		{"double", gen.Double, gen.Logical{}, 0, float64s, number, nil},
		{"small int64", gen.Int64, gen.Logical{}, 0, func(r *rand.Rand) any { return r.Int64N(200) }, number, []gen.Encoding{gen.Dictionary, gen.DeltaBinaryPacked}},
		{"some int64", gen.Int64, gen.Logical{}, 0, func(r *rand.Rand) any { return r.Int64N(2000) }, number, []gen.Encoding{gen.Dictionary}},
		{"string", gen.ByteArray, gen.StringType(), 0, texts, text, nil},
		{"few strings", gen.ByteArray, gen.StringType(), 0, func(r *rand.Rand) any { return strings.Repeat(word(r, 2), 20) }, text, []gen.Encoding{gen.Dictionary}},
		{"fixed", gen.FixedLenByteArray, gen.Logical{}, 16, func(r *rand.Rand) any { return word(r, 16) }, []string{"s > 'b'", "s = 'x'"}, nil},
		{"long fixed", gen.FixedLenByteArray, gen.Logical{}, 300, func(r *rand.Rand) any { return strings.Repeat(word(r, 1), 300) }, []string{"s > 'b'"},
			[]gen.Encoding{gen.Plain, gen.ByteStreamSplit}},
		{"int96", gen.Int96, gen.Logical{}, 0, func(r *rand.Rand) any {
			var b [12]byte
			binary.LittleEndian.PutUint64(b[:], r.Uint64N(86400e9))
			binary.LittleEndian.PutUint32(b[8:], 2440588+r.Uint32N(20000))
			return b
		}, []string{"s IS NOT NULL"}, nil},
	} {
		if k.encodings == nil {
			k.encodings = gen.EncodingsOf(k.typ)
		}
		for _, e := range k.encodings {
			for _, optional := range []bool{false, true} {
				n := gen.Required("s", k.typ).As(k.logical)
				if optional {
					n = gen.Optional("s", k.typ).As(k.logical)
				}
				n.Length = k.length
				c := stored{fmt.Sprintf("%s %d optional=%v", k.name, e, optional), n, shape(e), k.value, k.filters, k.typ != gen.Int96, 8_000, 0}
				if k.typ == gen.Boolean || e == gen.Dictionary && strings.Contains(k.name, " ") {
					c.rows = 40_000
				}
				if k.typ == gen.Int96 && !optional {
					c.filters = nil // IS NOT NULL reads nothing
				}
				all = append(all, c)
			}
		}
	}
	rounds, few := dtest.Rounds(t, 2), all[:0]
	for i, c := range all {
		switch {
		case rounds == 1 && i%7 > 0:
			continue // with -short
		case rounds < 6 && (i/2+i)%2 > 0:
			continue // optional or not, by turns
		case rounds < len(c.filters):
			first := i / 2 % (len(c.filters) - rounds + 1) // other ones of each column
			c.filters = c.filters[first : first+rounds]
		}
		few = append(few, c)
	}
	return few
}

// write returns the file, and where the pages of its row groups lie.
func (c *stored) write(t *testing.T) (b []byte, chunks []gen.Span) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(len(c.name))))
	f := gen.File{
		Schema: []*gen.Node{c.node},
		All:    gen.Column{Index: gen.NoIndex, Stats: gen.NoStats, PageRows: []int{c.rows}},
	}
	for range max(c.groups, 3) {
		column := c.column
		column.Data = new(gen.Data)
		values := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(c.value(r))), 0, c.rows)
		for range c.rows {
			level := uint32(1)
			if c.node.Repetition == gen.Maybe && r.IntN(4) == 0 {
				level = 0
			} else {
				values = reflect.Append(values, reflect.ValueOf(c.value(r)))
			}
			if c.node.Repetition == gen.Maybe {
				column.Data.Def = append(column.Data.Def, level)
			}
		}
		column.Data.Values = values.Interface()
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Columns: []gen.Column{column}})
	}
	w, err := f.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range w.Pages {
		pages := g[0]
		chunks = append(chunks, gen.Span{Start: pages[0].Start, Body: pages[0].Body, End: pages[len(pages)-1].End})
	}
	return w.Bytes, chunks
}

// mappedFile is a file that can be mapped here.
func mappedFile(t *testing.T, b []byte) (path string, f *File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "s.parquet")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	f = open(t, path)
	if v := f.Source().(fetch.Viewer).Views(); v == nil {
		t.Skip("files cannot be mapped here")
	} else {
		v.Close()
	}
	return path, f
}

// unidentified is a local file that scans do not see change.
type unidentified struct{ *fetch.File }

func (unidentified) Traits() fetch.Traits { return fetch.Traits{} }

// changingFile is mappedFile of a file whose changes only show in its bytes.
func changingFile(t *testing.T, b []byte) (path string, f *File) {
	t.Helper()
	path, f = mappedFile(t, b)
	src := unidentified{f.Source().(*fetch.File)}
	changing, err := OpenSource(t.Context(), path, src)
	if err != nil {
		t.Fatal(err)
	}
	changing.OnClose(f.Close)
	return path, changing
}

// tellsFaults skips a test where an emulator does not tell where a fault was.
func tellsFaults(t *testing.T) {
	t.Helper()
	if runtime.GOARCH == "amd64" {
		return
	}
	path := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(path, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := fetch.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	views := src.Views()
	if views == nil {
		t.Skip("files cannot be mapped here")
	}
	defer views.Close()
	b, err := views.View(fetch.Range{Len: 100})
	if err == nil {
		err = os.Truncate(path, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault, ok := recover().(interface{ Addr() uintptr })
		if ok {
			_, ok = views.Offset(fault.Addr())
		}
		if !ok {
			t.Skip("faults do not tell their address here")
		}
	}()
	t.Log(b[50])
}

// A file that shrinks while it is mapped is an error wherever its pages are
// looked at, and rows that came before are right.
func TestFileShrinksWhileItIsMapped(t *testing.T) {
	tellsFaults(t)
	pool := &Resources{Reuse: 64 << 20} // what a fault left in it would show in the next scan
	for _, c := range storedColumns(t) {
		b, chunks := c.write(t)
		whole, err := OpenSource(t.Context(), "whole", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
		if err != nil {
			t.Fatal(err)
		}
		want := lines(t, whole, Options{})
		second := chunks[1]
		for i, where := range append([]string{""}, c.filters...) {
			middle := second.Start + (second.End-second.Start)/2
			for _, size := range []int64{middle &^ 4095, middle, chunks[0].Start + 2000} {
				if i > 0 && size != middle&^4095 {
					continue // what lies after in the same page of memory is zeros
				}
				o := Options{Resources: pool, IgnoreCRC: true}
				if where != "" {
					if o.Filter, err = filter.Parse(where); err != nil {
						t.Fatal(err)
					}
				}
				path, f := mappedFile(t, b)
				if err := os.Truncate(path, size); err != nil {
					t.Fatal(err)
				}
				for name, way := range ways {
					switch {
					case name == "Count" && where == "", !c.ordered && (name == "Max" || name == "Top"):
						continue
					case i > 1 && name != "Scan" && name != "Count":
						continue // how a test goes does not depend on who asks
					}
					faults(t, path, way(t.Context(), f, o), c.name, size, where, name)
				}
				if where == "" {
					got, err := tryLines(t, f, o)
					faults(t, path, err, c.name, size)
					if err := scannertest.Same(got, want[:min(len(got), len(want))]); err != nil {
						t.Errorf("%s, %d of %d bytes: %v", c.name, size, len(b), err)
					}
					o.Rows = every(7, c.rows)
					_, err = tryLines(t, f, o)
					faults(t, path, err, c.name, size, "some rows")
				}
				f.Close()
			}
		}
		_, f := mappedFile(t, b)
		if err := scannertest.Same(lines(t, f, Options{Resources: pool}), want); err != nil {
			t.Errorf("%s, the whole file, after faults: %v", c.name, err)
		}
		if err := scannertest.Same(lines(t, f, Options{knobs: knobs.Knobs{NoMapping: true}}), want); err != nil {
			t.Errorf("%s, without a mapping: %v", c.name, err)
		}
	}
}

// faults wants err to be the one about a file that has shrunk.
func faults(t *testing.T, path string, err error, what ...any) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.File != path || !errors.Is(err, ErrChanged) {
		t.Errorf("%v: %v", what, err)
	} else if e.Offset >= 0 && e.Column != "s" {
		t.Errorf("%v: a fault at %d in column %q", what, e.Offset, e.Column)
	}
}

// every returns one in so many rows of each row group.
func every(n, rows int) (set vector.RowSet) {
	for range 3 {
		var some vector.Ranges
		for i := 0; i < rows; i += n {
			some = some.Append(int64(i), int64(i+1))
		}
		set = append(set, some)
	}
	return set
}

// Batches never point into a mapping: they are right once it is gone.
func TestBatchesOutliveTheMapping(t *testing.T) {
	for _, c := range storedColumns(t) {
		b, _ := c.write(t)
		whole, err := OpenSource(t.Context(), "whole", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
		if err != nil {
			t.Fatal(err)
		}
		for _, where := range append([]string{""}, c.filters...) {
			for dictionaries := range vector.DictionaryAlways + 1 {
				if where != "" && dictionaries > 0 {
					continue
				}
				o := Options{Dictionaries: allLeaves(dictionaries)}
				if where != "" {
					if o.Filter, err = filter.Parse(where); err != nil {
						t.Fatal(err)
					}
				}
				want := lines(t, whole, o)
				path, f := mappedFile(t, b)
				var batches []*vector.Batch
				for b, err := range f.Scan(t.Context(), o) {
					if err != nil {
						t.Fatal(err)
					}
					batches = append(batches, b)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				if maps, err := os.ReadFile("/proc/self/maps"); err != nil || bytes.Contains(maps, []byte(path)) {
					t.Fatalf("%v, or still mapped", err)
				}
				var got []string
				for _, b := range batches {
					got = append(got, scannertest.Lines(t, b)...)
				}
				if err := scannertest.Same(got, want); err != nil {
					t.Errorf("%s, %q, dictionaries %v: %v", c.name, where, dictionaries, err)
				}
			}
		}
	}
}
