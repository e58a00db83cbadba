package sqlitescan

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/vector"
)

// lookups are the scans of one plan that differ in the values of conditions: the
// lookups of a join, or of an IN. Once they have taken as long as it takes to read all rows that
// they have in common, these are read and kept, by one of the values.
type lookups struct {
	calls   int
	spent   time.Duration
	last    query
	varies  []bool // which conditions have had several values
	index   *index
	refused bool // there is nothing to look up by, or it takes too much memory
}

const (
	fewLookups     = 8                     // are not worth an index
	timeToIndexRow = 200 * time.Nanosecond // on two shared cores, for 600,000 rows of 4 columns: 100 to 300 ns
)

// forget releases the index.
func (l *lookups) forget() {
	if l.index != nil {
		l.index.release()
	}
	*l = lookups{}
}

// lookUp returns the rows of a query, from an index where there is one.
func (c *cursor) lookUp(q query) (rows, error) {
	l := &c.lookups
	if l.refused || q.none || c.t.m.o.LookupBytes < 0 || !slices.ContainsFunc(q.conditions, func(b bound) bool { return b.op == vtab.OpEQ }) {
		return c.scan(&q)
	}
	l.note(q)
	if l.refused {
		l.forget()
		l.refused = true
		return c.scan(&q)
	}
	if l.index != nil {
		if key, ok := keyOf(c.t.columns[q.conditions[l.index.by].column].kind, q.conditions[l.index.by].value); ok {
			return l.index.rows(key), nil
		}
		return c.scan(&q)
	}
	estimate := time.Duration(c.t.stats.rows) * c.t.m.rowTime
	if l.calls > fewLookups && l.spent > estimate {
		if err := c.buildIndex(q); err != nil {
			return nil, err
		}
		if l.index != nil {
			return c.lookUp(q)
		}
	}
	r, err := c.scan(&q)
	if err != nil {
		return nil, err
	}
	return &timed{r, &l.spent}, nil
}

// note compares a query with the one before. Where something else than values of conditions differs, or a
// value that an index relied on, lookups are refused.
func (l *lookups) note(q query) {
	if l.calls == 0 {
		l.varies = make([]bool, len(q.conditions))
	} else {
		l.refused = q.first != l.last.first || q.end != l.last.end || q.file != l.last.file || len(q.conditions) != len(l.last.conditions)
		for i := range q.conditions {
			if l.refused || l.varies[i] || reflect.DeepEqual(q.conditions[i].value, l.last.conditions[i].value) {
				continue
			}
			l.varies[i] = true
			l.refused = l.index != nil
		}
	}
	l.calls++
	l.last = q
}

// buildIndex reads the rows that pass the conditions whose values have not changed. It leaves no index where
// that takes too much memory, or has nothing to look up by.
func (c *cursor) buildIndex(q query) error {
	l := &c.lookups
	common := q
	common.conditions = nil
	by := -1
	for i, b := range q.conditions {
		switch {
		case !l.varies[i]:
			common.conditions = append(common.conditions, b)
		case by < 0 && b.op == vtab.OpEQ:
			if _, ok := keyOf(c.t.columns[b.column].kind, b.value); ok {
				by = i
			}
		}
	}
	l.refused = by < 0
	if l.refused {
		return nil
	}
	r, err := c.scan(&common)
	if err != nil {
		return err
	}
	defer r.close()
	column := q.conditions[by].column
	x := &index{by: by, ids: map[key]int32{}}
	defer func() {
		if l.index != x {
			x.release()
		}
	}()
	keys := newReader(&c.t.columns[column])
	var idOf []int32 // by row
	size := int64(0)
	for {
		b, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		x.batches = append(x.batches, b)
		x.starts = append(x.starts, int32(len(idOf)))
		size += int64(b.len) * 64
		for _, v := range b.columns {
			if v != nil {
				size += bytesOf(v)
			}
		}
		if size > c.t.m.o.LookupBytes || len(idOf) > math.MaxInt32-b.len {
			l.refused = true
			return nil
		}
		keys.use(b.columns[column])
		for i := range b.len {
			v, err := keys.value(i)
			if err != nil {
				return err
			}
			idOf = append(idOf, x.id(keys.c.kind, v))
		}
	}
	x.sort(idOf)
	l.index = x
	return nil
}

// bytesOf returns about how many bytes the values of a vector take, without those of its dictionary.
func bytesOf(v *vector.Vector) int64 {
	slots, width := int64(v.Len), int64(v.Type.Width())
	switch {
	case v.Form == vector.Constant:
		slots = 1
	case v.Form == vector.Dictionary || v.Layout != vector.Leaf:
		width = 4 // a code, or an offset
	case v.Type.Store() == vector.InViews:
		width = 16
	}
	n := slots * width
	for _, view := range v.Views {
		if !view.IsInline() {
			n += int64(view.Len())
		}
	}
	for _, c := range v.Children {
		n += bytesOf(c)
	}
	return n
}

// index finds rows by the value of one column.
type index struct {
	by      int // of the query's conditions
	batches []batch
	starts  []int32       // the number of each batch's first row
	ids     map[key]int32 // values are numbered
	first   []int32       // by that number: where its rows begin in order
	order   []int32       // rows
}

// key is a value as an index has it: one for all values that may be equal in SQLite.
type key struct {
	number int64
	text   string
}

// keyOf returns the key of a value, of the column or of a condition on it. ok is false if the values that equal it
// are not those with the same key.
func keyOf(k kind, v any) (out key, ok bool) {
	switch k {
	case kindInteger, kindBool, kindDecimalInteger:
		n, ok := v.(int64)
		return key{number: n}, ok
	case kindReal, kindDecimalReal:
		x, ok := v.(float64)
		if n, is := v.(int64); is {
			x = float64(n)
			ok = -1<<53 < n && n < 1<<53
		}
		return key{number: int64(math.Float64bits(x + 0))}, ok && x == x // -0 + 0 is 0
	case kindDate, kindTimestamp:
		s, ok := v.(string)
		if ok {
			s = timeKey(compared(s))
		}
		return key{text: s}, ok
	case kindText, kindUUID:
		s, ok := v.(string)
		if ok {
			s = foldText(s)
		}
		return key{text: s}, ok
	case kindBlob:
		b, ok := v.([]byte)
		return key{text: string(b)}, ok
	}
	return key{}, false
}

// id returns the number of a value of the column, -1 for one that equals nothing.
func (x *index) id(k kind, v any) int32 {
	key, ok := keyOf(k, v)
	if !ok {
		return -1
	}
	id, known := x.ids[key]
	if !known {
		id = int32(len(x.ids))
		x.ids[key] = id
	}
	return id
}

// sort orders the rows by value, and then as they were read.
func (x *index) sort(idOf []int32) {
	x.first = make([]int32, len(x.ids)+1)
	for _, id := range idOf {
		if id >= 0 {
			x.first[id+1]++
		}
	}
	for i := 1; i < len(x.first); i++ {
		x.first[i] += x.first[i-1]
	}
	x.order = make([]int32, x.first[len(x.ids)])
	at := slices.Clone(x.first)
	for row, id := range idOf {
		if id >= 0 {
			x.order[at[id]] = int32(row)
			at[id]++
		}
	}
}

// rows returns the rows with a value.
func (x *index) rows(k key) rows {
	id, ok := x.ids[k]
	if !ok {
		return &picked{}
	}
	return &picked{x: x, left: x.order[x.first[id]:x.first[id+1]]}
}

func (x *index) release() {
	for i := range x.batches {
		x.batches[i].drop()
	}
	x.batches = nil
}

// picked are rows of an index.
type picked struct {
	x     *index
	left  []int32
	slots []int32
}

func (p *picked) next() (batch, bool, error) {
	if len(p.left) == 0 {
		return batch{}, false, nil
	}
	starts := p.x.starts
	i := sort.Search(len(starts), func(i int) bool { return starts[i] > p.left[0] }) - 1
	p.slots = p.slots[:0]
	for len(p.left) > 0 && (i+1 == len(starts) || p.left[0] < starts[i+1]) {
		p.slots = append(p.slots, p.left[0]-starts[i])
		p.left = p.left[1:]
	}
	b := p.x.batches[i]
	b.picked, b.release = p.slots, nil
	return b, true, nil
}

func (p *picked) close() {}

// timed are rows that take time.
type timed struct {
	rows
	spent *time.Duration
}

func (t *timed) next() (batch, bool, error) {
	start := time.Now()
	defer func() { *t.spent += time.Since(start) }()
	return t.rows.next()
}

// compareValues compares values of the column as SQLite orders them: NULL, numbers, texts.
func (c *column) compareValues(a, b any) int {
	if order := cmp.Compare(rankOf(a), rankOf(b)); order != 0 {
		return order
	}
	switch x := a.(type) { // and b is of the same type
	case int64:
		return cmp.Compare(x, b.(int64))
	case float64:
		return cmp.Compare(x, b.(float64))
	case string:
		if c.kind == kindDate || c.kind == kindTimestamp {
			return compareTimes(x, b.(string))
		}
		return strings.Compare(x, b.(string))
	}
	return 0
}

func rankOf(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case int64, float64:
		return 1
	}
	return 2
}
