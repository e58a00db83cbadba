package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A plan is one way to ask for the rows that pass a condition.
type plan struct {
	scanner.Options
	knobs knobs.Knobs
	about []string // what was chosen
	shown []cell   // what rows come as
	want  []int    // the rows that must come, in order
	hold  bool     // batches are looked at when the next one is there
	items *cell    // of a list that is unnested: what a row has of them
	stop  int      // batches behind which the caller leaves; 0: none

	parts  int           // partitions that run side by side; 0: none
	splits []fetch.Range // of the file, scanned one after the other
}

// context is that of the plan's scans.
func (p *plan) context() context.Context { return knobs.With(context.Background(), p.knobs) }

// A knob changes how a scan goes about it, and never what it gives.
type knob struct {
	name string
	set  func(*plan, *rand.Rand)
}

func ways(w *world) []knob {
	return []knob{
		{"batch of 1", func(o *plan, _ *rand.Rand) { o.BatchRows = 1 }},
		{"batch of 7", func(o *plan, _ *rand.Rand) { o.BatchRows = 7 }},
		{"batch of 1024", func(o *plan, _ *rand.Rand) { o.BatchRows = 1024 }},
		{"batch of 65536", func(o *plan, _ *rand.Rand) { o.BatchRows = 65536 }},
		{"few bytes", func(o *plan, _ *rand.Rand) { o.BatchBytes = 200 }},
		{"dictionaries", func(o *plan, r *rand.Rand) {
			o.Dictionaries = map[string]vector.DictionaryUse{"": pick(r, vector.DictionaryWherePossible, vector.DictionaryAlways)}
		}},
		{"no checksums", func(o *plan, _ *rand.Rand) { o.IgnoreCRC = true }},
		{"threads", func(o *plan, r *rand.Rand) { o.Threads = 2 + r.IntN(3) }},
		{"memory of others", func(o *plan, _ *rand.Rand) { o.Resources = w.memory }},
		{"without statistics", func(o *plan, _ *rand.Rand) { o.knobs.NoStatistics = true }},
		{"without page index", func(o *plan, _ *rand.Rand) { o.knobs.NoPageIndex = true }},
		{"without Bloom filters", func(o *plan, _ *rand.Rand) { o.knobs.NoBloom = true }},
		{"without masks", func(o *plan, _ *rand.Rand) { o.knobs.NoDictionaries = true }},
		{"without order", func(o *plan, _ *rand.Rand) { o.knobs.FixedOrder = true }},
		{"gather", func(o *plan, r *rand.Rand) { o.knobs.Column.Gather = forced(r) }},
		{"drop codes", func(o *plan, r *rand.Rand) { o.knobs.Column.Codes = forced(r) }},
		{"ask masks", func(o *plan, r *rand.Rand) { o.knobs.Column.Mask = forced(r) }},
		{"keep", func(o *plan, r *rand.Rand) { o.knobs.Column.Keep = forced(r) }},
		{"stop", func(o *plan, r *rand.Rand) { o.knobs.Column.Stop = forced(r) }},
		{"copy", func(o *plan, r *rand.Rand) { o.knobs.Column.Copy = forced(r) }},
		{"eager", func(o *plan, _ *rand.Rand) { o.knobs.Column.Eager = true }},
		{"small windows", func(o *plan, r *rand.Rand) { o.knobs.Window = 1 + r.IntN(100) }},
		{"parts", func(o *plan, r *rand.Rand) { o.knobs.MinPart = 1 + r.IntN(40) }},
		{"restless", func(o *plan, _ *rand.Rand) { o.knobs.NoBackoff = true }},
		{"read ahead", func(o *plan, r *rand.Rand) { o.ReadAhead = 1 << r.IntN(20) }},
		{"counted", func(o *plan, _ *rand.Rand) { o.Stats = new(scanner.Stats) }},
	}
}

// forced is a choice that is not the scan's.
func forced(r *rand.Rand) column.Choice { return pick(r, column.Always, column.Never) }

// newPlan chooses how c is asked.
func (g *writer) newPlan(c condition, passes []bool) *plan {
	r, w := g.r, g.w
	p := &plan{hold: r.IntN(2) == 0}
	p.Filter = c.expr
	if c.sql != "" && r.IntN(2) == 0 {
		p.Filter = g.parse(c.sql)
		p.note("parsed as a whole")
	}
	for _, k := range ways(w) {
		if r.IntN(5) == 0 {
			k.set(p, r)
			p.note("%s", k.name)
		}
	}
	p.choose(r, w)
	if r.IntN(3) == 0 {
		p.number(w)
	}
	for i, pass := range passes {
		if pass {
			p.want = append(p.want, i)
		}
	}
	if r.IntN(4) == 0 {
		p.restrict(r, w)
	}
	switch r.IntN(12) {
	case 0, 1:
		p.cut(r)
	case 2:
		p.stop = 1 + r.IntN(4)
		p.note("left behind batch %d", p.stop)
	case 3, 4:
		p.split(r, w)
	case 5:
		p.parts = 1 + r.IntN(4)
		p.note("%d partitions", p.parts)
		if p.RowNumber == "" {
			p.number(w)
		}
	case 6:
		if g.err == nil {
			g.err = p.planned(w)
		}
	}
	return p
}

// split cuts the file at random bytes.
func (p *plan) split(r *rand.Rand, w *world) {
	size := w.file.Source().Size()
	cuts := []int64{0, size}
	for range 1 + r.IntN(4) {
		cuts = append(cuts, 1+r.Int64N(size-1))
	}
	slices.Sort(cuts)
	for i, from := range cuts[:len(cuts)-1] {
		p.splits = append(p.splits, fetch.Range{Off: from, Len: cuts[i+1] - from})
	}
	p.note("splits at %v", cuts)
}

// planned lets the file plan, and hands in what has become of the plan in JSON.
func (p *plan) planned(w *world) error {
	made, err := w.file.Plan(p.context(), p.Options)
	if err != nil {
		return err
	}
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	p.Plan = new(scanner.Plan)
	p.note("planned: %s", text)
	return json.Unmarshal(text, p.Plan)
}

func (p *plan) note(format string, args ...any) {
	p.about = append(p.about, fmt.Sprintf(format, args...))
}

// choose picks columns and parts of them, whether the condition asks them or not.
func (p *plan) choose(r *rand.Rand, w *world) {
	switch {
	case w.absent != nil:
		p.Want, p.shown = w.absent.wants(r, w)
		p.note("host's schema")
		return
	case r.IntN(10) == 0 && p.flatten(r, w):
		return
	case r.IntN(3) == 0:
		for _, n := range w.schema {
			p.shown = append(p.shown, w.cell(part{quote(n.Name), n}))
		}
		return
	}
	p.Select = []string{}
	for _, at := range r.Perm(len(w.schema))[:r.IntN(len(w.schema)+1)] {
		one := pick(r, parts(w.schema[at])...)
		p.Select = append(p.Select, one.path)
		p.shown = append(p.shown, w.cell(one))
	}
	p.note("select %s", strings.Join(p.Select, ", "))
}

// number asks for a column of row numbers.
func (p *plan) number(w *world) {
	p.RowNumber = "row"
	numbers := cell{key: `"row":`}
	for i := range w.rows {
		numbers.text = append(numbers.text, fmt.Sprint(i))
	}
	p.shown = append(p.shown, numbers)
}

// flatten asks for a row for each item of a list, if there is one.
func (p *plan) flatten(r *rand.Rand, w *world) bool {
	n := pick(r, w.schema...)
	if n.Logical.Kind != gen.KindList || n.Children[0].Children[0].Logical.Kind == gen.KindList {
		return false
	}
	p.Unnest = quote(n.Name) + ".element"
	p.items = &cell{key: `"item":`}
	item := n.Children[0].Children[0]
	for _, group := range w.groups {
		for _, row := range group {
			var texts []string
			list, _ := row.(gen.Record)[n.Name].([]any)
			for _, v := range list {
				text, err := gen.AppendJSON(nil, item, v)
				if err != nil {
					panic(err) // gen has written these very values
				}
				texts = append(texts, string(text))
			}
			p.items.text = append(p.items.text, strings.Join(texts, "\x00"))
			p.items.some = append(p.items.some, len(texts) > 0)
		}
	}
	p.note("unnest %s", p.Unnest)
	return true
}

// lines appends the rows that come for a row of the file.
func (p *plan) lines(dst []byte, row int) []byte {
	if p.items == nil {
		return append(line(dst, p.shown, row), '\n')
	}
	if !p.items.some[row] {
		return dst
	}
	for _, text := range strings.Split(p.items.text[row], "\x00") {
		dst = append(append(append(dst, '{'), p.items.key...), text...)
		for _, c := range p.shown {
			dst = append(append(append(dst, ','), c.key...), c.text[row]...)
		}
		dst = append(dst, "}\n"...)
	}
	return dst
}

// restrict asks for some rows only.
func (p *plan) restrict(r *rand.Rand, w *world) {
	p.Rows = vector.RowSet{}
	var keep []int
	for g := range w.groups[:r.IntN(len(w.groups)+1)] {
		n := w.starts[g+1] - w.starts[g]
		var rows vector.Ranges
		for at := 0; at < n; {
			at += r.IntN(1 + n/pick(r, 1, 3, 20))
			to := min(n, at+1+r.IntN(1+n/pick(r, 2, 20)))
			rows = rows.Append(int64(at), int64(to))
			at = to
		}
		p.Rows = append(p.Rows, rows)
	}
	for _, row := range p.want {
		g := w.groupOf(row)
		if p.Rows.Of(g).Contains(int64(row - w.starts[g])) {
			keep = append(keep, row)
		}
	}
	p.want = keep
	p.note("%d rows of %v", p.Rows.Len(), p.Rows)
}

func (w *world) groupOf(row int) int {
	g := 0
	for w.starts[g+1] <= row {
		g++
	}
	return g
}

// cut asks for rows at an offset, and no more than so many.
func (p *plan) cut(r *rand.Rand) {
	some := func() int64 { return int64(r.IntN(len(p.want) + 2)) }
	if r.IntN(2) == 0 {
		p.Offset = some()
		p.want = p.want[min(int(p.Offset), len(p.want)):]
	}
	if p.Limit = some(); p.Limit > 0 {
		p.want = p.want[:min(int(p.Limit), len(p.want))]
	}
	p.note("offset %d limit %d", p.Offset, p.Limit)
}

// evaluate returns which rows pass.
func (w *world) evaluate(c *naive.Cond) []bool {
	passes := make([]bool, len(w.rows))
	for i, row := range w.rows {
		passes[i] = c.Eval(row) == naive.True
	}
	return passes
}

// passesGroup reports whether all rows of a row group pass.
func (w *world) passesGroup(c *naive.Cond) bool {
	for g := range w.groups {
		rows := w.rows[w.starts[g]:w.starts[g+1]]
		if len(rows) > 0 && !slices.ContainsFunc(rows, func(row naive.Struct) bool { return c.Eval(row) != naive.True }) {
			return true
		}
	}
	return false
}

// whole is a condition and its opposites, of which each row passes one.
func (g *writer) whole(c condition) []condition {
	all := []condition{c, negated(c)}
	isTrue := around(naive.IsTrue, "", " IS TRUE", c, c.expr.IsTrue())
	isFalse := around(naive.IsFalse, "", " IS FALSE", c, c.expr.IsFalse())
	return append(all, join(naive.And, negated(isTrue), negated(isFalse)))
}
