package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/cli"
)

// answerRows is how many rows of an answer are written at once.
const answerRows = 4096

// answer is the rows of a query on their way to a RowWriter.
type answer struct {
	columns []answerColumn
	batch   vector.Batch
	pending int
	written int
	begun   bool
}

type answerColumn struct {
	name    string
	typ     vector.Type
	pending []any // values that are not written yet
	text    []byte
}

// write writes the pending rows. The first call chooses the types of columns.
func (a *answer) write(to cli.RowWriter) error {
	if !a.begun {
		a.begun = true
		for i := range a.columns {
			c := &a.columns[i]
			c.typ = typeOf(c.pending)
			a.batch.Fields = append(a.batch.Fields, vector.Field{Name: c.name, Type: c.typ, Nullable: true})
			a.batch.Columns = append(a.batch.Columns, &vector.Vector{})
		}
		if err := to.Columns("the answer", a.batch.Fields); err != nil {
			return err
		}
	}
	for i := range a.columns {
		if err := a.columns[i].fill(a.batch.Columns[i], a.written); err != nil {
			return err
		}
	}
	a.batch.Len = a.pending
	a.written += a.pending
	a.pending = 0
	return to.Rows(&a.batch, 0, a.batch.Len)
}

var (
	integers = vector.Type{Physical: vector.Int64}
	reals    = vector.Type{Physical: vector.Double}
	texts    = vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	blobs    = vector.Type{Physical: vector.ByteArray}
)

// typeOf returns the type that holds all values.
func typeOf(values []any) vector.Type {
	whole, inexact, fractions, others := false, false, false, false
	for _, v := range values {
		switch v := v.(type) {
		case nil:
		case int64:
			whole, inexact = true, inexact || !exact(v)
		case float64:
			fractions = true
		case []byte:
			return blobs
		default:
			others = true
		}
	}
	switch {
	case others || !whole && !fractions || fractions && inexact:
		return texts
	case fractions:
		return reals
	}
	return integers
}

// exact reports whether a double has the integer's value.
func exact(n int64) bool { return -1<<53 <= n && n <= 1<<53 }

// fill makes v the vector of the pending values. row is the number of the first of them.
func (c *answerColumn) fill(v *vector.Vector, row int) error {
	build.Reset(v, c.typ)
	build.AppendNulls(v, len(c.pending))
	c.text = c.text[:0]
	for i, value := range c.pending {
		if value == nil {
			continue
		}
		bits.SetRange(v.Validity, i, i+1)
		if !c.set(v, i, value) {
			return fmt.Errorf("column %s: row %d has another type than the first rows; CAST gives all of them one", c.name, row+i+1)
		}
	}
	if v.Type.Store() == vector.InViews {
		build.AddBuffer(v, c.text)
		c.text = nil // now the vector's
	}
	c.pending = c.pending[:0]
	return nil
}

// set sets slot i, unless the value has another type.
func (c *answerColumn) set(v *vector.Vector, i int, value any) bool {
	switch c.typ {
	case integers:
		n, ok := value.(int64)
		v.Int64s[i] = n
		return ok
	case reals:
		x, ok := value.(float64)
		if n, is := value.(int64); is {
			x, ok = float64(n), exact(n)
		}
		v.Doubles[i] = x
		return ok
	}
	at := len(c.text)
	switch x := value.(type) {
	case int64:
		c.text = strconv.AppendInt(c.text, x, 10)
	case float64:
		c.text = strconv.AppendFloat(c.text, x, 'g', -1, 64)
	case []byte:
		if c.typ == texts {
			return false
		}
		c.text = append(c.text, x...)
	case string:
		c.text = append(c.text, x...)
	default:
		c.text = fmt.Append(c.text, x)
	}
	if len(c.text) > math.MaxInt32 {
		return false
	}
	v.Views[i] = bits.Make(c.text[at:], 0, int32(at))
	return true
}
