package pageindex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A condition as text, and its value for a row: 1 TRUE, 0 FALSE, -1 NULL.
type condition struct {
	text string
	of   func(r gen.Record) int
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// holds compares two numbers or strings as an operator does.
func holds[T int64 | float64 | string](a T, op string, b T) bool {
	switch op {
	case "=":
		return a == b
	case "<>":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// anyOf and allOf are the quantifiers over the values of items.
func anyOf(items []int) int {
	out := 0
	for _, v := range items {
		if v == 1 {
			return 1
		}
		out = min(out, v)
	}
	return out
}

func allOf(items []int) int {
	out := 1
	for _, v := range items {
		if v == 0 {
			return 0
		}
		out = min(out, v)
	}
	return out
}

func randomTest(r *rand.Rand) condition {
	op := pick(r, "=", "<>", "<", "<=", ">", ">=")
	n := r.Int64N(120) - 10
	integer := func(name string) condition {
		return condition{fmt.Sprintf("%s %s %d", name, op, n), func(row gen.Record) int {
			v, ok := row[name].(int64)
			if !ok {
				return -1
			}
			return truth(holds(v, op, n))
		}}
	}
	null := func(name string) condition {
		return condition{name + " IS NULL", func(row gen.Record) int { return truth(row[name] == nil) }}
	}
	items := func(name string, f func([]int) int) condition {
		return condition{fmt.Sprintf("%s(tags) %s %d", name, op, n), func(row gen.Record) int {
			list, _ := row["tags"].([]any) // a NULL list is like one without items
			var each []int
			for _, v := range list {
				if v == nil {
					each = append(each, -1)
				} else {
					each = append(each, truth(holds(v.(int64), op, n)))
				}
			}
			return f(each)
		}}
	}
	switch r.IntN(12) {
	case 0, 1:
		return integer("up")
	case 2:
		return integer("int")
	case 3:
		return null(pick(r, "int", "float", "text", "tags", "pair"))
	case 4:
		x := float64(n) / 2
		return condition{fmt.Sprintf("float %s %g", op, x), func(row gen.Record) int {
			v, ok := row["float"].(float64)
			if !ok {
				return -1
			}
			return truth(holds(v, op, x))
		}}
	case 5:
		s := randomText(r)
		return condition{fmt.Sprintf("text %s '%s'", op, s), func(row gen.Record) int {
			v, ok := row["text"].(string)
			if !ok {
				return -1
			}
			return truth(holds(v, op, s))
		}}
	case 6:
		s := randomText(r)
		tail := pick(r, "", "c")
		return condition{"text LIKE '" + s + "%" + tail + "'", func(row gen.Record) int {
			v, ok := row["text"].(string)
			if !ok {
				return -1
			}
			return truth(len(v) >= len(s+tail) && strings.HasPrefix(v, s) && strings.HasSuffix(v, tail))
		}}
	case 7, 8:
		var list []string
		in := map[int64]bool{}
		for range pick(r, 1, 3, 3, 40) {
			v := r.Int64N(130) - 10
			list, in[v] = append(list, fmt.Sprint(v)), true
		}
		name, not := pick(r, "up", "int"), r.IntN(3) == 0
		text := name + " IN (" + strings.Join(list, ", ") + ")"
		if not {
			text = name + " NOT IN (" + strings.Join(list, ", ") + ")"
		}
		return condition{text, func(row gen.Record) int {
			v, ok := row[name].(int64)
			if !ok {
				return -1
			}
			return truth(in[v] != not)
		}}
	case 9:
		if r.IntN(2) == 0 {
			return items("ANY", anyOf)
		}
		return items("ALL", allOf)
	case 10:
		return condition{fmt.Sprintf("pair.a %s %d", op, n), func(row gen.Record) int {
			pair, ok := row["pair"].(gen.Record)
			if !ok || pair["a"] == nil {
				return -1
			}
			return truth(holds(pair["a"].(int64), op, n))
		}}
	}
	return condition{"int " + op + " up", func(row gen.Record) int {
		v, ok := row["int"].(int64)
		if !ok {
			return -1
		}
		return truth(holds(v, op, row["up"].(int64)))
	}}
}

func randomCondition(r *rand.Rand, depth int) condition {
	switch k := r.IntN(6); {
	case depth == 0 || k == 0:
		return randomTest(r)
	case k == 1:
		c := randomCondition(r, depth-1)
		return condition{"NOT (" + c.text + ")", func(row gen.Record) int {
			if v := c.of(row); v >= 0 {
				return 1 - v
			}
			return -1
		}}
	default:
		var parts []condition
		var texts []string
		for range 2 + r.IntN(2) {
			c := randomCondition(r, depth-1)
			parts, texts = append(parts, c), append(texts, "("+c.text+")")
		}
		each := func(row gen.Record) (out []int) {
			for _, c := range parts {
				out = append(out, c.of(row))
			}
			return out
		}
		if k < 4 {
			return condition{strings.Join(texts, " AND "), func(row gen.Record) int { return allOf(each(row)) }}
		}
		return condition{strings.Join(texts, " OR "), func(row gen.Record) int { return anyOf(each(row)) }}
	}
}

func randomText(r *rand.Rand) string {
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = "abc"[r.IntN(3)]
	}
	return string(b)
}

// randomRows returns rows whose values are sorted, clustered or scattered.
func randomRows(r *rand.Rand) (rows []any) {
	n := 1 + r.IntN(120)
	order := r.IntN(3)
	nulls := pick(r, 0, 2, 10, 1000)
	base := 0
	null := func() bool { return r.IntN(nulls+1) == 1 }
	nan := r.IntN(2) == 0
	for i := range n {
		switch order {
		case 0:
			base = i
		case 1:
			base = 50 + base*9/10 - 45 + r.IntN(12)
		default:
			base = r.IntN(100)
		}
		v := int64(base)
		row := gen.Record{"up": v}
		if !null() {
			row["int"] = 100 - v + r.Int64N(3)
		}
		if !null() {
			f := float64(v)/2 - 10
			if nan && r.IntN(8) == 0 {
				f = pick(r, math.NaN(), math.Copysign(0, -1), math.Inf(1))
			}
			row["float"] = f
		}
		if !null() {
			row["text"] = string([]byte{"abc"[v/40%3], "abc"[v/13%3]}) + randomText(r)
		}
		if !null() {
			list := []any{}
			for range r.IntN(3) {
				if null() {
					list = append(list, nil)
				} else {
					list = append(list, v+r.Int64N(3))
				}
			}
			row["tags"] = list
		}
		if !null() {
			pair := gen.Record{"a": nil}
			if !null() {
				pair["a"] = v - r.Int64N(2)
			}
			row["pair"] = pair
		}
		rows = append(rows, row)
	}
	return rows
}

func randomFile(r *rand.Rand, rows []any) *gen.File {
	order := pick(r, gen.TypeOrder, gen.IEEE754Order)
	float := gen.Optional("float", gen.Double)
	float.Order = order
	f := &gen.File{
		Schema: []*gen.Node{
			gen.Required("up", gen.Int64), gen.Optional("int", gen.Int32), float,
			gen.Optional("text", gen.ByteArray).As(gen.StringType()),
			gen.List("tags", gen.Optional("element", gen.Int32)),
			gen.Optional("pair", gen.Group, gen.Optional("a", gen.Int64)),
		},
		NoColumnOrders: r.IntN(10) == 0,
	}
	var columns []gen.Column
	for range 6 {
		c := gen.Column{
			Stats:         pick(r, 0, gen.NoStats, gen.NullCount, gen.MinMax|gen.NullCount|gen.NaNCount|gen.Exactness, gen.MinMax, gen.Deprecated|gen.NullCount),
			Truncate:      r.IntN(3),
			SizeStats:     r.IntN(2) == 0,
			Index:         pick(r, gen.FullIndex, gen.FullIndex, gen.FullIndex, gen.OffsetIndex, gen.ColumnIndex, gen.NoIndex),
			Bloom:         pick(r, 0, 0, 32, 96, 1024),
			BloomNoLength: r.IntN(2) == 0,
		}
		for range 1 + r.IntN(4) {
			c.PageRows = append(c.PageRows, 1+r.IntN(pick(r, 3, 20, 200)))
		}
		if r.IntN(4) == 0 {
			breakIndex(r, &c)
		}
		columns = append(columns, c)
	}
	f.RowGroups = []gen.RowGroup{{Rows: rows, Columns: columns}}
	return f
}

// breakIndex makes a writer lie in a way that can be found out, or that does
// not matter.
func breakIndex(r *rand.Rand, c *gen.Column) {
	kind, at := r.IntN(12), r.Uint64()
	c.ColumnIndex = func(x *wire.ColumnIndex) {
		i := int(at % uint64(len(x.NullPages)))
		switch kind {
		case 0:
			x.BoundaryOrder = pick(r, wire.BoundaryOrder_ASCENDING, wire.BoundaryOrder_DESCENDING, 7)
		case 1:
			x.NullPages = x.NullPages[:i]
		case 2:
			x.MinValues = append(x.MinValues, nil)
		case 3:
			x.MaxValues = x.MaxValues[:i]
		case 4:
			x.NullCounts = []int64{1 << 40}
		case 5:
			x.MinValues[i] = []byte{1, 2, 3, 4, 5}
		case 6:
			x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, 7)
		case 7:
			if n := len(x.DefinitionLevelHistograms); n > 0 {
				x.DefinitionLevelHistograms[int(at%uint64(n))] += pick(r, int64(1), -1, math.MaxInt64)
			}
		case 8:
			if len(x.NullCounts) > i {
				x.NullCounts[i] = pick(r, int64(-1), 1<<50)
			}
		}
	}
	c.OffsetIndex = func(x *wire.OffsetIndex) {
		i := int(at % uint64(len(x.PageLocations)))
		switch p := x.PageLocations[i]; kind {
		case 9:
			p.FirstRowIndex = pick(r, int64(-1), 1<<40)
		case 10:
			p.Offset = pick(r, int64(-1), 1<<40, math.MaxInt64)
		case 11:
			p.CompressedPageSize = pick(r, int32(-1), 0, math.MaxInt32)
		}
	}
}
