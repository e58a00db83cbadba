package winnowio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/winnow-scan/winnow/adapters/beam/internal/prismtest"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func init() {
	register.Function1x1(idText)
	register.Function1x1(anyJSON)
	register.Function1x1(anyText)
	register.Function1x1(hiveText)
	register.Function1x1(hiveNameText)
	register.Function1x1(wantText)
	beam.RegisterType(reflect.TypeFor[hiveName]())
	beam.RegisterType(reflect.TypeFor[hive]())
	beam.RegisterType(reflect.TypeFor[wanted]())
	beam.RegisterType(reflect.TypeFor[pair]())
}

func idText(r row) string { return fmt.Sprint(r.ID) }

// anyJSON is a row of any struct type in JSON.
func anyJSON(x beam.X) string {
	text, err := json.Marshal(x)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// anyText is the text of a row of any struct type.
func anyText(x beam.X) string {
	v := reflect.ValueOf(x)
	var parts []string
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		parts = append(parts, fmt.Sprint(f.Interface()))
	}
	return strings.Join(parts, "|")
}

// small writes a file of some row groups.
func small(t testing.TB, seed uint64, first int64) testFile {
	return shape{groups: 6, rows: 60, page: 9}.write(t, rand.New(rand.NewPCG(seed, 0)), first)
}

// Local files, files behind a URL, those of Beam's filesystems, and their names as elements: the
// rows are the same.
func TestSources(t *testing.T) {
	f := small(t, 1, 0)
	dir := t.TempDir()
	local := filepath.Join(dir, "f.parquet")
	if err := os.WriteFile(local, f.data, 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "f.parquet", time.Unix(1, 0), bytes.NewReader(f.data))
	}))
	defer server.Close()
	inMemory := "memfs://" + t.Name() + "/f.parquet"
	files, err := filesystem.New(t.Context(), inMemory)
	if err != nil {
		t.Fatal(err)
	}
	if err := filesystem.Write(t.Context(), files, inMemory, f.data); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	for _, pattern := range []string{filepath.Join(dir, "*.parquet"), server.URL + "/f.parquet", "memfs://" + t.Name() + "/*.parquet"} {
		rows := Read[row](s, pattern, Options{SplitBytes: 500})
		passert.EqualsList(s, beam.ParDo(s, textOf, rows), sorted(f.rows))
	}
	names := beam.CreateList(s, []string{local, inMemory})
	passert.EqualsList(s, beam.ParDo(s, textOf, ReadAll[row](s, names, Options{})), sorted(append(slices.Clone(f.rows), f.rows...)))
	prismtest.Run(t, p)
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "winnowio-*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %q %v", left, err)
	}
}

// Elements of types that are made of the file's schema, with chosen columns and with all.
func TestReadRows(t *testing.T) {
	f := small(t, 2, 0)
	name := memory.put(t, "f.parquet", f.data)
	var all, notes []string
	for _, r := range f.rows {
		note := "<nil>"
		if r.Note != nil {
			note = *r.Note
		}
		all, notes = append(all, fmt.Sprint(r.ID, "|", r.Part, "|", note)), append(notes, note)
	}
	p, s := beam.NewPipelineWithRoot()
	passert.EqualsList(s, beam.ParDo(s, anyText, ReadRows(t.Context(), s, name, Options{})), all)
	passert.EqualsList(s, beam.ParDo(s, anyText, ReadRows(t.Context(), s, name, Options{Select: []string{"note"}})), notes)
	prismtest.Run(t, p)
}

// The type is made of the first file, which has no NULLs; the second has some at each level.
func TestReadRowsOfFiles(t *testing.T) {
	put := func(name string, may func(string, gen.Type, ...*gen.Node) *gen.Node, rows ...any) string {
		schema := []*gen.Node{may("id", gen.Int64), may("p", gen.Group, may("x", gen.Int32)), gen.List("l", may("element", gen.Int32))}
		f := gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}}
		data, err := f.Write()
		if err != nil {
			t.Fatal(err)
		}
		return memory.put(t, name, data)
	}
	first := put("1.parquet", gen.Required, gen.Record{"id": 1, "p": gen.Record{"x": 2}, "l": []any{3}})
	second := put("2.parquet", gen.Optional, gen.Record{}, gen.Record{"p": gen.Record{"x": nil}, "l": []any{nil}})
	p, s := beam.NewPipelineWithRoot()
	rows := ReadRows(t.Context(), s, "test://"+t.Name()+"/*.parquet", Options{FileName: "f"})
	passert.EqualsList(s, beam.ParDo(s, anyJSON, rows), []string{
		`{"Id":1,"P":{"X":2},"L":[3],"F":"` + first + `"}`,
		`{"Id":null,"P":null,"L":null,"F":"` + second + `"}`,
		`{"Id":null,"P":{"X":null},"L":[null],"F":"` + second + `"}`,
	})
	prismtest.Run(t, p)
}

// The generated types hold values of testdata's files whose types have a counterpart.
func TestRowType(t *testing.T) {
	got, err := RowType(t.Context(), "../../testdata/orders.parquet", Options{Select: []string{"order_id", "placed", "customer", "items"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "struct { " +
		`Order_id int64 "beam:\"order_id\" parquet:\"order_id\""; ` +
		`Placed time.Time "beam:\"placed\" parquet:\"placed\""; ` +
		`Customer *struct { Name string "beam:\"name\" parquet:\"name\""; ` +
		`Address *struct { City string "beam:\"city\" parquet:\"city\""; Zip *string "beam:\"zip\" parquet:\"zip\"" } "beam:\"address\" parquet:\"address\"" } "beam:\"customer\" parquet:\"customer\""; ` +
		`Items []*struct { Sku string "beam:\"sku\" parquet:\"sku\""; Quantity int32 "beam:\"quantity\" parquet:\"quantity\""; Price *float64 "beam:\"price\" parquet:\"price\""; Tags []*string "beam:\"tags\" parquet:\"tags\"" } "beam:\"items\" parquet:\"items\"" }`
	if got.String() != want {
		t.Errorf("the type is\n%v\nwant\n%v", got, want)
	}
	if _, err := RowType(t.Context(), "../../testdata/orders.parquet", Options{}); err == nil || !strings.Contains(err.Error(), "attributes") {
		t.Errorf("of a map: %v", err)
	}
	for column, want := range map[string]string{"order id": "Order_id", "1st": "X1st", "ärger": "X_rger", "_x": "X_x", "": "X"} {
		if got := goName(column); got != want {
			t.Errorf("%q becomes %q, want %q", column, got, want)
		}
	}
}

// pair is a key of two columns.
type pair struct {
	ID   int64
	Part int32
}

// Keys of one column, of two, and none: what is emitted has every row with a key, few others, and of
// files without one no page is read.
func TestKeys(t *testing.T) {
	var keys []int64
	var pairs []pair
	var want []string
	for i := range 20 {
		f := small(t, uint64(100+i), int64(10_000*i))
		memory.put(t, fmt.Sprintf("%02d.parquet", i), f.data)
		if i%5 != 0 {
			continue
		}
		for k, r := range f.rows {
			if k%9 == 0 {
				keys, pairs, want = append(keys, r.ID), append(pairs, pair{r.ID, r.Part}), append(want, fmt.Sprint(r.ID))
			}
		}
	}
	pattern := "test://" + t.Name() + "/*.parquet"
	for name, read := range map[string]func(beam.Scope) beam.PCollection{
		"one": func(s beam.Scope) beam.PCollection {
			return Read[row](s, pattern, Options{Keys: beam.CreateList(s, keys), KeyColumns: []string{"id"}, SplitBytes: 3000})
		},
		"two": func(s beam.Scope) beam.PCollection {
			return Read[row](s, pattern, Options{Keys: beam.CreateList(s, pairs), KeyColumns: []string{"id", "part"}})
		},
	} {
		p, s := beam.NewPipelineWithRoot()
		emitted.clear()
		beam.ParDo0(s, collect, beam.ParDo(s, idText, read(s)))
		counters := prismtest.Run(t, p)
		got := emitted.take()
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Fatalf("%s: row %s has a key and is lost", name, id)
			}
		}
		// The least and the greatest key rule out the last files; 1 of 200 other rows may pass.
		if len(got) > len(want)+200 || counters["pages_unread"] == 0 {
			t.Errorf("%s: %d rows for %d keys, counters %v", name, len(got), len(want), counters)
		}
	}
	p, s := beam.NewPipelineWithRoot()
	none := beam.ParDo(s, nothing, beam.CreateList(s, keys))
	passert.Empty(s, Read[row](s, pattern, Options{Keys: none, KeyColumns: []string{"id"}}))
	if counters := prismtest.Run(t, p); counters["pages_decoded"] != 0 {
		t.Errorf("without keys, counters %v", counters)
	}
}

// hive is a row with a column of the file's path.
type hive struct {
	ID   int64 `parquet:"id" beam:"id"`
	Year int64 `parquet:"year" beam:"year"`
}

func hiveText(h hive) string { return fmt.Sprint(h.Year, "/", h.ID) }

// Folders are columns. A file that they exclude is opened once, for its size.
func TestHive(t *testing.T) {
	var want []string
	for year := 2020; year < 2024; year++ {
		f := small(t, uint64(year), int64(100*year))
		memory.put(t, fmt.Sprintf("year=%d/f.parquet", year), f.data)
		for _, r := range f.rows {
			if year >= 2022 {
				want = append(want, fmt.Sprint(year, "/", r.ID))
			}
		}
	}
	p, s := beam.NewPipelineWithRoot()
	rows := Read[hive](s, "test://"+t.Name()+"/*/f.parquet", Options{Filter: filter.Col("year").Ge(2022)})
	passert.EqualsList(s, beam.ParDo(s, hiveText, rows), want)
	if counters := prismtest.Run(t, p); counters["rows"] != int64(len(want)) {
		t.Errorf("counters %v for %d rows", counters, len(want))
	}
	for year := 2020; year < 2024; year++ {
		n := memory.opened[fmt.Sprintf("test://%s/year=%d/f.parquet", t.Name(), year)]
		if (n == 1) != (year < 2022) {
			t.Errorf("the file of %d was opened %d times", year, n)
		}
	}
}

// hiveName is a row whose year may be any text.
type hiveName struct {
	ID   int64  `parquet:"id" beam:"id"`
	Year string `parquet:"year" beam:"year"`
}

func hiveNameText(h hiveName) string { return fmt.Sprint(h.Year, "/", h.ID) }

// Where values in paths differ in kind, a schema says what they are.
func TestHiveTyped(t *testing.T) {
	var want []string
	for i, year := range []string{"2020", "unknown"} {
		f := small(t, uint64(i), int64(1000*i))
		memory.put(t, "year="+year+"/f.parquet", f.data)
		for _, r := range f.rows {
			want = append(want, fmt.Sprint(year, "/", r.ID))
		}
	}
	p, s := beam.NewPipelineWithRoot()
	rows := Read[hiveName](s, "test://"+t.Name()+"/*/f.parquet", Options{Want: []scanner.Want{
		{Name: "id", Type: vector.Type{Physical: vector.Int64}},
		{Name: "year", Type: vector.Type{Physical: vector.ByteArray, Logical: vector.String}},
	}})
	passert.EqualsList(s, beam.ParDo(s, hiveNameText, rows), want)
	prismtest.Run(t, p)
}

// wanted is a row of a schema that the files have in part.
type wanted struct {
	Number int64   `parquet:"id" beam:"id"`
	Extra  float64 `parquet:"extra" beam:"extra"`
	Absent *string `parquet:"absent" beam:"absent"`
	File   string  `parquet:"file" beam:"file"`
}

func wantText(w wanted) string { return fmt.Sprint(w.Number, w.Extra, w.Absent == nil, w.File) }

// A schema travels with its defaults.
func TestWant(t *testing.T) {
	f := small(t, 5, 0)
	name := memory.put(t, "f.parquet", f.data)
	double := vector.Type{Physical: vector.Double}
	extra, err := vector.FloatOf(double, 2.5)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{FileName: "file", Want: []scanner.Want{
		{Name: "id", Type: vector.Type{Physical: vector.Int64}},
		{Name: "extra", Type: double, Default: extra},
		{Name: "absent", Type: vector.Type{Physical: vector.ByteArray, Logical: vector.String}},
	}}
	var want []string
	for _, r := range f.rows {
		want = append(want, fmt.Sprint(r.ID, 2.5, true, name))
	}
	p, s := beam.NewPipelineWithRoot()
	passert.EqualsList(s, beam.ParDo(s, wantText, Read[wanted](s, name, o)), want)
	prismtest.Run(t, p)
}

// What cannot be read fails the pipeline, with the name of the file.
func TestFaults(t *testing.T) {
	f := small(t, 6, 0)
	damaged := slices.Clone(f.data)
	for i := 4; i < len(damaged)/2; i++ {
		damaged[i] ^= 0x55
	}
	for name, pattern := range map[string]string{
		"damaged pages":   memory.put(t, "damaged.parquet", damaged),
		"a short file":    memory.put(t, "short.parquet", f.data[:8]),
		"no footer":       memory.put(t, "cut.parquet", f.data[:len(f.data)-1]),
		"no match":        "test://" + t.Name() + "/nothing*",
		"no local file":   filepath.Join(t.TempDir(), "nothing.parquet"),
		"nothing to open": "closed://nothing.parquet",
	} {
		p, s := beam.NewPipelineWithRoot()
		beam.ParDo(s, idText, Read[row](s, pattern, Options{}))
		_, err := beam.Run(t.Context(), "prism", p)
		if err == nil || !strings.Contains(err.Error(), pattern) {
			t.Errorf("%s: the error is %v, and should name %s", name, err, pattern)
		}
	}
}

// A file that is replaced between two restrictions is an error of the second.
func TestChanged(t *testing.T) {
	f := small(t, 7, 0)
	name := memory.put(t, "f.parquet", f.data)
	q, err := (&Options{SplitBytes: 500}).travel()
	if err != nil {
		t.Fatal(err)
	}
	base, err := newBase(q, reflect.TypeFor[row]())
	if err != nil {
		t.Fatal(err)
	}
	fn := readFn{base}
	whole, err := fn.CreateInitialRestriction(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := fn.SplitRestriction(t.Context(), name, whole)
	if err != nil || len(parts) < 3 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	rows := 0
	emit := func(beam.X) { rows++ }
	if err := fn.ProcessElement(t.Context(), fn.CreateTracker(parts[0]), name, emit); err != nil || rows == 0 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	memory.put(t, "f.parquet", slices.Clone(f.data))
	rt := fn.CreateTracker(parts[1])
	if err := fn.ProcessElement(t.Context(), rt, name, emit); !errors.Is(err, fetch.ErrChanged) || !strings.Contains(err.Error(), name) {
		t.Errorf("of a replaced file: %v", err)
	}
	if rt.IsDone() {
		t.Error("the restriction is done")
	}
	if _, err := fn.SplitRestriction(t.Context(), name, whole); !errors.Is(err, fetch.ErrChanged) {
		t.Errorf("splitting a replaced file: %v", err)
	}
}

type unknown struct{ ID int64 }

// Mistakes are found while the pipeline is built.
func TestMistakes(t *testing.T) {
	keys := func(s beam.Scope, values any, columns ...string) {
		Read[row](s, "f", Options{Keys: beam.CreateList(s, values), KeyColumns: columns})
	}
	none := filter.Func("none", func([]*vector.Vector, []uint64) error { return nil }, filter.Col("id"))
	for want, build := range map[string]func(s beam.Scope){
		"RegisterType":  func(s beam.Scope) { Read[unknown](s, "f", Options{}) },
		"structs":       func(s beam.Scope) { Read[int64](s, "f", Options{}) },
		"cannot travel": func(s beam.Scope) { Read[row](s, "f", Options{Filter: none}) },
		"SplitBytes":    func(s beam.Scope) { Read[row](s, "f", Options{SplitBytes: -1}) },
		"KeyColumns":    func(s beam.Scope) { Read[row](s, "f", Options{KeyColumns: []string{"id"}}) },
		"are winnowio.pair: KeyColumns must be 2, not 1":              func(s beam.Scope) { keys(s, []pair{{1, 2}}, "id") },
		"are int64: KeyColumns must be 1, not 2":                      func(s beam.Scope) { keys(s, []int64{1}, "id", "part") },
		"empty pattern":                                               func(s beam.Scope) { Read[row](s, "", Options{}) },
		`"nowhere" not registered`:                                    func(s beam.Scope) { Read[row](s, "nowhere://f", Options{}) },
		`import _ "github.com/winnow-scan/winnow/adapters/beam/s3"`:   func(s beam.Scope) { Read[row](s, "s3://b/f", Options{}) },
		`import _ "github.com/winnow-scan/winnow/adapters/beam/hdfs"`: func(s beam.Scope) { ReadRows(t.Context(), s, "hdfs:///f", Options{}) },
		"no such file":     func(s beam.Scope) { ReadRows(context.Background(), s, "./nothing.parquet", Options{}) },
		"registered alrea": func(beam.Scope) { Register("test", Store{}) },
	} {
		func() {
			defer func() {
				if e := recover(); e == nil || !strings.Contains(fmt.Sprint(e), want) {
					t.Errorf("%s: %v", want, e)
				}
			}()
			build(beam.NewPipeline().Root())
		}()
	}
	if _, err := list(t.Context(), filepath.Join(t.TempDir(), "*.parquet")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no match is %v", err)
	}
}
