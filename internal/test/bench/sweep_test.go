package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// The cells of each seed have all pairs of values that some cell has, and are the same each time.
func TestSweepCoversPairs(t *testing.T) {
	s := newSweepSpace()
	want := map[sweepCell]bool{}
	// All cells, but for the dimensions that go with everything: of these, every value is in some cell.
	free := []int{ofCodec, ofNulls, ofOrder}
	var walk func(c sweepCell, d int)
	walk = func(c sweepCell, d int) {
		switch {
		case d == dimensions && s.fits(&c):
			for p := range pairsOf(c) {
				want[p] = true
			}
		case d < dimensions && slices.Contains(free, d) && !slices.Contains(c[:d], "first"):
			c[d] = "first" // stands for all its values
			walk(c, d+1)
		case d < dimensions && slices.Contains(free, d):
			c[d] = "any"
			walk(c, d+1)
		case d < dimensions:
			for _, v := range s.choices[d] {
				c[d] = v
				walk(c, d+1)
			}
		}
	}
	walk(sweepCell{}, 0)
	all := map[sweepCell]bool{}
	for p := range want {
		expand(s, p, all)
	}
	var first []sweepCell
	for seed := range uint64(4) {
		cells := s.draw(seed, 300)
		if len(cells) != 300 || !slices.Equal(cells, s.draw(seed, 300)) || slices.Equal(cells, first) {
			t.Fatalf("seed %d: %d cells, or others in a second draw, or those of another seed", seed, len(cells))
		}
		first = cells
		have, names, neighbours := map[sweepCell]bool{}, map[string]bool{}, 0
		for i, c := range cells {
			names[c.String()] = true
			if !s.fits(&c) {
				t.Errorf("%s does not fit", &c)
			}
			for p := range pairsOf(c) {
				have[p] = true
			}
			if slices.ContainsFunc(cells[:i], func(o sweepCell) bool { return c.differs(&o) == 1 }) {
				neighbours++
			}
		}
		for p := range all {
			if !have[p] {
				t.Errorf("seed %d: no cell has the pair %s", seed, &p)
			}
		}
		if len(names) != len(cells) || neighbours < 50 {
			t.Errorf("seed %d: %d names, %d cells that have neighbours", seed, len(names), neighbours)
		}
	}
}

// pairsOf yields the pairs of values of a cell.
func pairsOf(c sweepCell) func(yield func(sweepCell) bool) {
	return func(yield func(sweepCell) bool) {
		for i := range c {
			for k := range i {
				var p sweepCell
				if p[i], p[k] = c[i], c[k]; !yield(p) {
					return
				}
			}
		}
	}
}

// expand adds the pairs that a pair stands for.
func expand(s *sweepSpace, p sweepCell, all map[sweepCell]bool) {
	for d, v := range p {
		if v == "first" || v == "any" {
			for _, v := range s.choices[d] {
				p[d] = v
				expand(s, p, all)
			}
			return
		}
	}
	all[p] = true
}

// The scans of cells have the rows and the sums of the values that were written, and pages that must
// be touched.
func TestSweepAnswers(t *testing.T) {
	s := newSweepSpace()
	path := filepath.Join(t.TempDir(), "cell.parquet")
	for _, c := range s.draw(rand.Uint64N(100), dtest.Rounds(t, 60)) {
		f, err := s.build(&c, 7, 2500, path)
		if err != nil {
			t.Fatalf("%s: %v", &c, err)
		}
		answer, err := prepare(&f.workload, 1, nil).scan(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", &c, err)
		}
		got := answer()
		want, passes := &Answer{Sums: map[string]Sum{}}, naivelyPasses(t, f, c[ofPredicate])
		for row := range f.rows {
			if !passes(row) {
				continue
			}
			want.Rows++
			for _, col := range f.columns {
				if col.returned {
					sum := want.Sums[col.name]
					if v := col.naive(row); v != nil {
						sum.N, sum.Total = sum.N+1, sum.Total+naiveNumber(col.t.name, v)
					}
					want.Sums[col.name] = sum
				}
			}
		}
		if fault := (&Workload{Rows: &want.Rows, Sums: want.Sums}).Judge(got); fault != "" || *f.workload.Rows != want.Rows {
			t.Errorf("%s: %s; %d rows were expected", &c, fault, *f.workload.Rows)
		}
		if len(f.pages) == 0 && want.Rows > 0 && c[ofPredicate] != "notnull" && c[ofPredicate] != "half" {
			t.Errorf("%s: no page must be touched", &c)
		}
	}
}

// naive returns a value of a column, nil for NULL.
func (col *sweepColumn) naive(row int) any {
	if r := col.ranks[row]; r >= 0 {
		return reflect.ValueOf(col.t.values(r)).Index(0).Interface()
	}
	return nil
}

// naivelyPasses returns what judges rows by their values and the text of the workload's condition.
func naivelyPasses(t *testing.T, f *sweepFile, predicate string) func(row int) bool {
	if f.workload.Where == nil {
		return func(int) bool { return true }
	}
	col := f.columns[slices.IndexFunc(f.columns, func(col *sweepColumn) bool { return col.filtered })]
	var tree struct {
		Value any
		And   []struct{ Value any }
	}
	if err := json.Unmarshal(f.workload.Where.tree, &tree); err != nil {
		t.Fatal(err)
	}
	rankOf := map[any]int32{} // by how a value is spelled in a condition
	for r := range int32(col.distinct) {
		text, _ := json.Marshal(col.spell(r))
		var spelled any
		_ = json.Unmarshal(text, &spelled)
		rankOf[spelled] = r
	}
	return func(row int) bool {
		own, v := col.ranks[row], col.naive(row)
		switch {
		case v == nil:
			return false
		case predicate == "eq", predicate == "eqother":
			return own == rankOf[tree.Value]
		case predicate == "in":
			return slices.ContainsFunc(tree.Value.([]any), func(x any) bool { return own == rankOf[x] })
		case predicate == "range1":
			return own >= rankOf[tree.And[0].Value] && own < rankOf[tree.And[1].Value]
		case predicate == "half":
			return own >= rankOf[tree.Value]
		case predicate == "prefix":
			return strings.HasPrefix(v.(string), tree.Value.(string))
		case predicate == "contains":
			return strings.Contains(v.(string), tree.Value.(string))
		}
		return true
	}
}

func (col *sweepColumn) spell(rank int32) any {
	if col.t.literal != nil {
		return col.t.literal(int(rank))
	}
	return reflect.ValueOf(col.t.values(rank)).Index(0).Interface()
}

// naiveNumber returns what a value adds to a sum.
func naiveNumber(typeName string, v any) float64 {
	switch r := reflect.ValueOf(v); {
	case typeName == "uint32":
		return float64(uint32(r.Int()))
	case typeName == "float16":
		return float64(vector.HalfToFloat(binary.LittleEndian.Uint16([]byte(v.(string)))))
	case typeName == "decimal38":
		return float64(int64(binary.BigEndian.Uint64([]byte(v.(string))[8:])))
	case r.Kind() == reflect.String:
		return float64(r.Len())
	case r.Kind() == reflect.Bool:
		if r.Bool() {
			return 1
		}
		return 0
	case r.CanFloat():
		return r.Float()
	default:
		return float64(r.Int())
	}
}

// A type's values have the order of their ranks.
func TestSweepTypes(t *testing.T) {
	for _, typ := range sweepTypes() {
		n := min(typ.ranks, 5000)
		for r := range int32(n - 1) {
			a, b := reflect.ValueOf(typ.values(r, r+1)).Index(0), reflect.ValueOf(typ.values(r, r+1)).Index(1)
			less := false
			switch {
			case a.Kind() == reflect.Bool:
				less = !a.Bool() && b.Bool()
			case a.Kind() == reflect.String && typ.name == "float16", typ.name == "decimal38", typ.name == "uint32":
				less = naiveNumber(typ.name, a.Interface()) < naiveNumber(typ.name, b.Interface())
			case a.Kind() == reflect.String:
				less = a.String() < b.String()
			default:
				less = naiveNumber(typ.name, a.Interface()) < naiveNumber(typ.name, b.Interface())
			}
			if !less {
				t.Fatalf("%s: value %d is not below the next", typ.name, r)
			}
		}
	}
}

func TestSweepReport(t *testing.T) {
	var out bytes.Buffer
	r := &sweepReport{w: &out, peers: []*Peer{{Name: "a", Version: "1"}, {Name: "b", Version: "2"}}, absent: []string{"c: not there"}}
	cell := func(text string) (c sweepCell) {
		copy(c[:], strings.Split(text, "/"))
		return c
	}
	r.begin(&sweepOptions{seed: 3, turns: turns{rounds: 2}, cells: make([]sweepCell, 5)})
	for _, x := range []*sweepRow{
		{cell: cell("int32/plain/none/null0/pageall/groupall/none/own/sorted"), Rows: 1e6, Passing: 1e6, CPU: 1, Floor: 0.5, Values: 1e6, Bytes: 4e6, Peers: map[string]float64{"a": 2, "b": 3}, Best: "a", Ratio: 2},
		{cell: cell("int32/split/none/null0/pageall/groupall/none/own/sorted"), Rows: 1e6, Passing: 1e6, CPU: 4, Floor: 0.5, Values: 1e6, Bytes: 4e6, Peers: map[string]float64{"a": 32, "b": 2}, Best: "b", Ratio: 0.5},
		{cell: cell("int32/split/zstd/null0/pageall/groupall/eq/own/sorted"), Rows: 1e6, CPU: 0.1, Floor: 0.05, Full: 0.09, Peers: map[string]float64{"a": 20}, Best: "a", Ratio: 200, Faults: []string{"b: cannot"}},
		{cell: cell("int32/split/none/null0/pageall/groupall/eq/own/sorted"), Rows: 1e6, Passing: 1, CPU: 4.6, Floor: 4.6, Full: 4},
		{cell: cell("int64/plain/none/null0/pageall/groupall/none/own/sorted"), Rows: 1e6, Faults: []string{"row group 0: broken"}},
	} {
		x.Cell = x.cell.String()
		if err := r.add(x); err != nil {
			t.Fatal(err)
		}
	}
	r.end()
	dtest.Run(t, "testdata/sweep.txt", func(*testing.T, *dtest.Case) string { return out.String() })
}

// A sweep prints a line for each cell, whatever a peer answers.
func TestSweep(t *testing.T) {
	t.Setenv("BENCH_FAKE_PEER", "1")
	var out, errs bytes.Buffer
	args := []string{"sweep", "--cells", "3", "--rows", "2000", "--rounds", "1", "--peer", "fake=" + os.Args[0]}
	if code := Run(t.Context(), append(args, "--json"), &out, &errs); code != exitOK {
		t.Fatalf("code %d: %s", code, &errs)
	}
	d := json.NewDecoder(&out)
	for range 3 {
		var row sweepRow
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		if row.CPU <= 0 || row.Wall <= 0 || row.Floor <= 0 || row.Rows != 2000 || len(row.Faults) != 1 || !strings.HasPrefix(row.Faults[0], "fake: ") {
			t.Errorf("%+v", row)
		}
		if filtered := strings.Split(row.Cell, "/")[ofPredicate] != "none"; filtered != (row.Full > 0) {
			t.Errorf("%s: %v ms without its condition", row.Cell, row.Full)
		}
		out2 := bytes.Buffer{}
		if code := Run(t.Context(), append(args, "--only", row.Cell), &out2, &errs); code != exitOK || strings.Count(out2.String(), row.Cell) < 1 {
			t.Errorf("--only %s: code %d\n%s%s", row.Cell, code, &out2, &errs)
		}
	}
	for _, bad := range [][]string{{"--only", "nothing"}, {"--cells", "0"}, {"--rounds", "0"}, {"--rows", "999"}, {"file"}} {
		if code := Run(t.Context(), append([]string{"sweep"}, bad...), &out, &errs); code != exitUsage {
			t.Errorf("%q: code %d", bad, code)
		}
	}
}

// The engines of Python answer as winnow does, but for what they cannot read.
func TestSweepBesidePeers(t *testing.T) {
	python := pythonWithEngines(t)
	var out, errs bytes.Buffer
	if code := Run(t.Context(), []string{"sweep", "--cells", "5", "--rows", "2000", "--rounds", "1", "--peers", "--python", python, "--json"}, &out, &errs); code != exitOK {
		t.Fatalf("code %d: %s", code, &errs)
	}
	answers := 0
	for line := range strings.Lines(out.String()) {
		var row sweepRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		answers += len(row.Peers)
		for _, fault := range row.Faults {
			if strings.Contains(fault, ", want ") {
				t.Errorf("%s: %s", row.Cell, fault)
			}
		}
	}
	if answers < 7 {
		t.Errorf("%d answers of peers", answers)
	}
}
