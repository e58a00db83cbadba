package naive

import (
	"errors"
	"strconv"
)

// Element is a node of a schema. What has no children and is not marked as a
// group is a leaf.
type Element struct {
	Name       string
	Repetition byte   // 'r'equired, 'o'ptional, '*' repeated
	Note       string // "LIST", "MAP" or ""
	Group      bool
	Children   []*Element
}

// Column is the data of a leaf: its entries' levels, and each value that is
// there as JSON.
type Column struct {
	Rep, Def []int // nil where all are 0
	Values   []string
}

// Records puts rows together one after the other, as the Dremel paper does it:
// each leaf is a queue of entries, and at every node the levels at the heads of
// the queues below say what to do. It returns the rows as JSON, without white space.
// The levels of each entry have to make sense, else the result is an error.
func Records(fields []*Element, columns []Column, rows int) (lines []string, err error) {
	a := &assembly{}
	for _, f := range fields {
		a.fields = append(a.fields, a.reader(f, 0, 0))
	}
	if len(a.queues) != len(columns) {
		return nil, errors.New("naive: " + strconv.Itoa(len(columns)) + " columns for " + strconv.Itoa(len(a.queues)) + " leaves")
	}
	for i, c := range columns {
		q := a.queues[i]
		q.Column = c
		q.length = max(len(c.Def), len(c.Rep))
		if q.maxDef == 0 && q.maxRep == 0 {
			q.length = len(c.Values)
		}
	}
	defer func() {
		if f, ok := recover().(fault); ok {
			err = errors.New("naive: row " + strconv.Itoa(len(lines)) + ": " + string(f))
		}
	}()
	for range rows {
		for _, q := range a.queues {
			a.need(q.rep() == 0, "row does not begin with repetition level 0")
		}
		line := "{"
		for i, f := range a.fields {
			if i > 0 {
				line += ","
			}
			line += strconv.Quote(f.Name) + ":" + a.field(f)
		}
		lines = append(lines, line+"}")
	}
	for _, q := range a.queues {
		a.need(q.at == q.length && q.value == len(q.Values), "entries behind the last row")
	}
	return lines, nil
}

// fault is what assembly panics with.
type fault string

type assembly struct {
	fields []*reader
	queues []*queue
}

// reader is an element with its levels and the queues below it.
type reader struct {
	*Element
	rep, def int
	children []*reader
	queues   []*queue
}

type queue struct {
	Column
	maxRep, maxDef    int
	at, length, value int
}

func (a *assembly) need(ok bool, what string) {
	if !ok {
		panic(fault(what))
	}
}

func (a *assembly) reader(e *Element, rep, def int) *reader {
	switch e.Repetition {
	case '*':
		rep, def = rep+1, def+1
	case 'o':
		def++
	}
	r := &reader{Element: e, rep: rep, def: def}
	if !e.Group {
		q := &queue{maxRep: rep, maxDef: def}
		a.queues = append(a.queues, q)
		r.queues = []*queue{q}
	}
	for _, c := range e.Children {
		child := a.reader(c, rep, def)
		r.children = append(r.children, child)
		r.queues = append(r.queues, child.queues...)
	}
	return r
}

// rep and def return the levels at the head; rep is -1 at the end.
func (q *queue) rep() int {
	switch {
	case q.at >= q.length:
		return -1
	case q.Rep == nil:
		return 0
	}
	return q.Rep[q.at]
}

func (q *queue) def() int {
	if q.Def == nil {
		return 0
	}
	return q.Def[q.at]
}

// is asks all queues below r, which must agree.
func (a *assembly) is(r *reader, question func(*queue) bool) bool {
	yes := 0
	for _, q := range r.queues {
		if question(q) {
			yes++
		}
	}
	a.need(yes == 0 || yes == len(r.queues), "leaves below "+r.Name+" disagree")
	return yes > 0
}

func (a *assembly) isThere(r *reader) bool {
	return a.is(r, func(q *queue) bool {
		a.need(q.at < q.length, "no entry left for "+r.Name)
		return q.def() >= r.def
	})
}

// skip takes the one entry of each leaf below r that says that r is not there.
func (a *assembly) skip(r *reader) {
	for _, q := range r.queues {
		a.take(q)
	}
}

// take removes the head of a queue.
func (a *assembly) take(q *queue) {
	a.need(q.at < q.length, "no entry left")
	q.at++
}

// field returns the JSON of a field.
func (a *assembly) field(r *reader) string {
	if r.Repetition == '*' {
		return a.repeated(r, a.occurrence)
	}
	if r.Repetition == 'o' && len(r.queues) > 0 && !a.isThere(r) {
		a.skip(r)
		return "null"
	}
	return a.occurrence(r)
}

// repeated returns the array of all occurrences of r.
func (a *assembly) repeated(r *reader, item func(*reader) string) string {
	if len(r.queues) == 0 {
		return "[]"
	}
	if !a.isThere(r) {
		a.skip(r)
		return "[]"
	}
	out := "["
	for {
		out += item(r)
		if !a.is(r, func(q *queue) bool { return q.rep() >= r.rep }) {
			return out + "]"
		}
		a.need(a.is(r, func(q *queue) bool { return q.rep() == r.rep }), "an inner list goes on that "+r.Name+" does not have")
		a.need(a.isThere(r), r.Name+" goes on without an item")
		out += ","
	}
}

// occurrence returns the JSON of r when it is there.
func (a *assembly) occurrence(r *reader) string {
	if !r.Group {
		q := r.queues[0]
		a.take(q)
		a.need(q.value < len(q.Values), "no value left for "+r.Name)
		q.value++
		return q.Values[q.value-1]
	}
	if len(r.children) == 1 && r.children[0].Repetition == '*' {
		body := r.children[0]
		switch {
		case r.Note == "LIST" && !(body.Group && len(body.children) == 0):
			return a.repeated(body, a.listItem(r, body))
		case r.Note == "MAP" && body.Group && (len(body.children) == 1 || len(body.children) == 2) && noneRepeated(body):
			return a.repeated(body, a.pair)
		}
	}
	out := "{"
	for i, c := range r.children {
		if i > 0 {
			out += ","
		}
		out += strconv.Quote(c.Name) + ":" + a.field(c)
	}
	return out + "}"
}

func noneRepeated(r *reader) bool {
	for _, c := range r.children {
		if c.Repetition == '*' {
			return false
		}
	}
	return true
}

// listItem returns what makes an item of a list: the repeated element itself
// where it is a leaf, has several fields or one repeated one, or has one of
// the two names of old; else the one field in it.
func (a *assembly) listItem(list, body *reader) func(*reader) string {
	if !body.Group || len(body.children) > 1 || body.children[0].Repetition == '*' || body.Name == "array" || body.Name == list.Name+"_tuple" {
		return a.occurrence
	}
	return func(body *reader) string { return a.field(body.children[0]) }
}

func (a *assembly) pair(body *reader) string {
	out := `{"key":` + a.field(body.children[0]) + `,"value":`
	if len(body.children) < 2 {
		return out + "null}"
	}
	return out + a.field(body.children[1]) + "}"
}
