package assemble

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// FuzzLevels reads any levels as those of a struct with a number, a list and a
// list of structs, and has the naive assembly judge: what it takes comes out
// the same, what it refuses is an error here too.
func FuzzLevels(f *testing.F) {
	nodes := []*gen.Node{gen.Optional("s", gen.Group,
		gen.Optional("a", gen.Int64),
		gen.List("l", gen.Optional("element", gen.Int64)),
		gen.Repeated("r", gen.Group, gen.Required("x", gen.Int64), gen.List("deep", gen.Optional("element", gen.Int64))))}
	leaves := gen.Leaves(nodes)
	plans := plansOf(f, schemaOf(f, nodes))
	// Each entry is a byte: leaf, repetition and definition level.
	f.Add([]byte{0x00, 0x40, 0x80, 0xc0}, uint8(1))
	f.Add([]byte{0x02, 0x44, 0x54, 0x82, 0x92, 0xc5, 0xe4, 0xd2}, uint8(1))
	f.Add([]byte{0x01, 0x42, 0x81, 0xc1, 0x00, 0x40, 0x80, 0xc0}, uint8(2))
	f.Fuzz(func(t *testing.T, entries []byte, rows uint8) {
		columns := make([]column, len(leaves))
		for _, e := range entries {
			i := e >> 6
			l, c := leaves[i], &columns[i]
			def := min(e&15, uint8(l.MaxDef))
			c.def = append(c.def, def)
			if l.MaxRep > 0 {
				c.rep = append(c.rep, min(e>>4&3, uint8(l.MaxRep)))
			}
			values, _ := c.values.([]int64)
			if def == uint8(l.MaxDef) {
				values = append(values, int64(len(values)))
			}
			c.values = values
		}
		n := int(rows % 16)
		want, wantErr := records(nodes, columns, n)
		got, err := assembleRows(plans, make([]*vector.Vector, len(plans)), columns, n, false)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("error %v, naively %v", err, wantErr)
		}
		if err == nil {
			compare(t, 0, got, nil, want)
		}
	})
}
