package oracle

import (
	"fmt"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
)

// absent is a column that the host has and the file lacks, with a default or
// without. Conditions ask it like any other.
type absent struct {
	value any
	want  scanner.Want
}

const absentName = "absent"

func (w *world) addAbsent() {
	a := &absent{want: scanner.Want{Name: absentName, Type: vector.Type{Physical: vector.Int64}}}
	if w.r.IntN(3) > 0 {
		n := int64(w.r.IntN(5))
		a.value = n
		a.want.Default, _ = vector.IntOf(a.want.Type, n)
	}
	w.absent = a
	o := naive.Operand{IsLiteral: true, Literal: a.value}
	w.places = append(w.places, place{sql: absentName, operand: o, builder: filter.Col(absentName), kind: w.kindOf("i64")})
}

// wants asks for some of the file's columns, as they are, and for the other.
func (a *absent) wants(r *rand.Rand, w *world) (wants []scanner.Want, shown []cell) {
	at := r.IntN(len(w.schema) + 1)
	columns := r.Perm(len(w.schema))
	for i := range len(columns) + 1 {
		if i == at {
			c := cell{key: `"` + absentName + `":`, text: make([]string, len(w.rows))}
			for row := range c.text {
				c.text[row] = "null"
				if a.value != nil {
					c.text[row] = fmt.Sprint(a.value)
				}
			}
			wants, shown = append(wants, a.want), append(shown, c)
		}
		if i < len(columns) && r.IntN(3) > 0 {
			n := w.schema[columns[i]]
			wants, shown = append(wants, scanner.Wants(w.fields[columns[i]:columns[i]+1])...), append(shown, w.cell(part{quote(n.Name), n}))
		}
	}
	return wants, shown
}
