package oracle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// A column of the table of coverage: what kind of test met what kind of
// column chunk, and how many of the row group's rows passed.
type met struct {
	node     string
	physical gen.Type
	encoding string
	version  string
	verdict  string
}

type coverage struct {
	met    map[met]int
	proofs map[met]int // by node, type and verdict
}

var verdicts = []string{"None", "Some", "All"}

// count adds the tests of a case on each row group.
func (c *coverage) count(w *world, all []asked) {
	for _, a := range all {
		if a.leaf == nil {
			continue // of a column that the file lacks
		}
		for g := range w.groups {
			from, to := w.starts[g], w.starts[g+1]
			if from == to {
				continue
			}
			passed := 0
			for _, row := range w.rows[from:to] {
				if a.truth.Eval(row) == naive.True {
					passed++
				}
			}
			verdict := "Some"
			switch passed {
			case 0:
				verdict = "None"
			case to - from:
				verdict = "All"
			}
			l := w.layouts[g][a.leaf.index]
			c.met[met{a.node, a.leaf.typ, l.encoding, l.version, verdict}]++
		}
	}
}

var typeNames = map[gen.Type]string{
	gen.Boolean: "BOOLEAN", gen.Int32: "INT32", gen.Int64: "INT64", gen.Int96: "INT96", gen.Float: "FLOAT", gen.Double: "DOUBLE",
	gen.ByteArray: "BYTE_ARRAY", gen.FixedLenByteArray: "FIXED",
}

// nodesOf returns the kinds of tests that a type can meet.
//
//every:condition oracle table but And Or Not Constant BooleanColumn Compare Match Func Keys (of several; by signs or other words)
func nodesOf(t gen.Type) []string {
	nodes := []string{"=", "<>", "IN", "IS NULL", "IS NULL above", "columns", "function", "ANY", "ALL", "key", "length"}
	switch t {
	case gen.Boolean:
		return append(nodes, "boolean")
	case gen.ByteArray, gen.FixedLenByteArray:
		nodes = append(nodes, "LIKE", "prefix", "suffix", "contains", "~")
	}
	return append(nodes, "<", "<=", ">", ">=", "BETWEEN")
}

// reachable returns all cells that a run can fill.
func reachable() (cells []met) {
	for t := range typeNames {
		for _, n := range nodesOf(t) {
			encodings := []string{"mixed"}
			for _, e := range gen.EncodingsOf(t) {
				encodings = append(encodings, encodingNames[e])
				if e == gen.Dictionary {
					encodings = append(encodings, fallBack)
				}
			}
			for _, e := range encodings {
				versions := []string{"v1", "v2"}
				if e == "mixed" {
					versions = versions[:0]
					versions = append(versions, "mixed")
				}
				for _, v := range versions {
					for _, verdict := range verdicts {
						cells = append(cells, met{n, t, e, v, verdict})
					}
				}
			}
		}
	}
	return cells
}

// fold keeps of a cell what a table shows.
func (c *coverage) fold(keep func(met) met) map[met]int {
	out := map[met]int{}
	for _, m := range reachable() {
		out[keep(m)] += c.met[m]
	}
	return out
}

// check fails where a cell is empty: of the whole table in a long run, of its
// sides in a short one.
func (c *coverage) check(t *testing.T, long bool) {
	sides := map[string]func(met) met{
		"node × type":               func(m met) met { return met{node: m.node, physical: m.physical} },
		"node × verdict":            func(m met) met { return met{node: m.node, verdict: m.verdict} },
		"type × encoding × version": func(m met) met { return met{physical: m.physical, encoding: m.encoding, version: m.version} },
	}
	if long {
		sides["node × type × encoding × version × verdict"] = func(m met) met { return m }
	}
	for name, keep := range sides {
		cells := c.fold(keep)
		var empty []string
		fewest := math.MaxInt
		for m, n := range cells {
			fewest = min(fewest, n)
			if n == 0 {
				empty = append(empty, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", m.node, typeNames[m.physical], m.encoding, m.version, m.verdict)))
			}
		}
		t.Logf("%s: %d cells, %d empty, at least %d tests in each", name, len(cells), len(empty), fewest)
		if len(empty) > 0 {
			slices.Sort(empty)
			t.Errorf("%s: %d of %d cells are empty:\n%s", name, len(empty), len(cells), strings.Join(empty, "\n"))
		}
	}
}

// String draws the table: a line for each node and type, a column for each
// encoding and version, and how often None, Some and All were met.
func (c *coverage) String() string {
	lines := map[string]map[string][3]int{}
	heads := map[string]bool{}
	for _, m := range reachable() {
		row, head := fmt.Sprintf("%-14s %-10s", m.node, typeNames[m.physical]), m.encoding+"/"+m.version
		if lines[row] == nil {
			lines[row] = map[string][3]int{}
		}
		cell := lines[row][head]
		cell[slices.Index(verdicts, m.verdict)] = c.met[m]
		lines[row][head], heads[head] = cell, true
	}
	var columns, rows []string
	for h := range heads {
		columns = append(columns, h)
	}
	for r := range lines {
		rows = append(rows, r)
	}
	slices.Sort(columns)
	slices.Sort(rows)
	var b strings.Builder
	fmt.Fprintf(&b, "%-25s", "None/Some/All")
	for _, h := range columns {
		fmt.Fprintf(&b, " %15s", h)
	}
	for _, r := range rows {
		b.WriteString("\n" + r)
		for _, h := range columns {
			text := ""
			if n, ok := lines[r][h]; ok {
				text = fmt.Sprintf("%d/%d/%d", n[0], n[1], n[2])
			}
			fmt.Fprintf(&b, " %15s", text)
		}
	}
	return b.String()
}
