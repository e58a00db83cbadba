package assemble

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/thrift"
)

// element returns a node as the naive assembly wants it.
func element(n *gen.Node) *naive.Element {
	e := &naive.Element{Name: n.Name, Repetition: "ro*"[n.Repetition], Group: n.Type == gen.Group}
	switch n.Logical.Kind {
	case gen.KindList:
		e.Note = "LIST"
	case gen.KindMap:
		e.Note = "MAP"
	}
	for _, c := range n.Children {
		e.Children = append(e.Children, element(c))
	}
	return e
}

func elements(nodes []*gen.Node) (all []*naive.Element) {
	for _, n := range nodes {
		all = append(all, element(n))
	}
	return all
}

// schemaOf returns the tree of a file with these columns.
func schemaOf(t testing.TB, nodes []*gen.Node) *schema.Schema {
	t.Helper()
	f := gen.File{Schema: nodes}
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	end := len(b) - 8
	footer, err := thrift.ParseFooter(b[end-int(binary.LittleEndian.Uint32(b[end:])) : end])
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.New(footer.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// column is the data of one leaf, in small steps towards both sides.
type column struct {
	rep, def []uint8
	values   any
}

func columnsOf(data []gen.Data) []column {
	var all []column
	for _, d := range data {
		c := column{values: d.Values, rep: []uint8{}, def: []uint8{}} // empty or nil is the same
		for _, l := range d.Rep {
			c.rep = append(c.rep, uint8(l))
		}
		for _, l := range d.Def {
			c.def = append(c.def, uint8(l))
		}
		all = append(all, c)
	}
	return all
}

func (c *column) naive() naive.Column {
	n := naive.Column{}
	for _, l := range c.rep {
		n.Rep = append(n.Rep, int(l))
	}
	for _, l := range c.def {
		n.Def = append(n.Def, int(l))
	}
	switch v := c.values.(type) {
	case []int64:
		n.Values = texts(v, func(x int64) string { return fmt.Sprint(x) })
	case []bool:
		n.Values = texts(v, func(x bool) string { return fmt.Sprint(x) })
	case []float64:
		n.Values = texts(v, func(x float64) string { return fmt.Sprint(x) })
	case []string:
		n.Values = texts(v, func(x string) string {
			if len(x) == 3 && x[0] < 0x80 { // FIXED_LEN_BYTE_ARRAY
				x = base64.StdEncoding.EncodeToString([]byte(x))
			}
			return `"` + strings.ReplaceAll(x, `"`, `\"`) + `"`
		})
	}
	return n
}

func texts[T any](values []T, f func(T) string) (all []string) {
	for _, v := range values {
		all = append(all, f(v))
	}
	return all
}

// leaf returns the column as Assemble wants it. With dictionary set, values
// are codes, of a dictionary that is them backwards.
func (c *column) leaf(typ vector.Type, dictionary bool) Leaf {
	v := &vector.Vector{Type: typ}
	n := 0
	switch values := c.values.(type) {
	case []int64:
		n = len(values)
	case []bool:
		n = len(values)
	case []float64:
		n = len(values)
	case []string:
		n = len(values)
	}
	if n == 0 {
		return Leaf{Rep: c.rep, Def: c.def, Values: v}
	}
	build.Extend(v, n)
	var buffer []byte
	for i := range n {
		at := i
		if dictionary {
			at = n - 1 - i
		}
		switch values := c.values.(type) {
		case []int64:
			v.Int64s[at] = values[i]
		case []bool:
			bits.Insert(v.Bools, at, map[bool]uint64{true: 1}[values[i]], 1)
		case []float64:
			v.Doubles[at] = values[i]
		case []string:
			if typ.Physical == vector.ByteArray {
				v.Views[at] = bits.Make([]byte(values[i]), 0, int32(len(buffer)))
				buffer = append(buffer, values[i]...)
			} else {
				copy(v.Fixed[at*3:], values[i])
			}
		}
	}
	build.AddBuffer(v, buffer)
	if dictionary {
		coded := &vector.Vector{Type: typ}
		build.UseDictionary(coded, v)
		build.Extend(coded, n)
		for i := range n {
			coded.Codes[i] = uint32(n - 1 - i)
		}
		v = coded
	}
	return Leaf{Rep: c.rep, Def: c.def, Values: v}
}

// cut returns the rows [from, to) of a column without faults.
func (c *column) head(from, to, maxDef int) column {
	entry := func(row int) int {
		if len(c.rep) == 0 {
			return row
		}
		for i, l := range c.rep {
			if l == 0 {
				if row == 0 {
					return i
				}
				row--
			}
		}
		return len(c.rep)
	}
	first, end := entry(from), entry(to)
	value := func(entry int) int {
		if len(c.def) == 0 {
			return entry
		}
		return bytes.Count(c.def[:entry], []byte{uint8(maxDef)})
	}
	out := column{}
	if len(c.rep) > 0 {
		out.rep = c.rep[first:end:end]
	}
	if len(c.def) > 0 {
		out.def = c.def[first:end:end]
	}
	switch v := c.values.(type) {
	case []int64:
		out.values = v[value(first):value(end)]
	case []bool:
		out.values = v[value(first):value(end)]
	case []float64:
		out.values = v[value(first):value(end)]
	case []string:
		out.values = v[value(first):value(end)]
	}
	return out
}
