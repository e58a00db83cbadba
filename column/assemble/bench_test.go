package assemble

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Levels of random lists: optional, of optional structs of three optional
// numbers. b.SetBytes counts one byte a level, so MB/s are million levels a second.
func BenchmarkAssemble(b *testing.B) {
	for _, nulls := range []int{0, 20} {
		b.Run(map[int]string{0: "shape=list_of_struct/nulls=0", 20: "shape=list_of_struct/nulls=20"}[nulls], func(b *testing.B) {
			s := schemaOf(b, []*gen.Node{gen.List("l", gen.Optional("element", gen.Group,
				gen.Optional("a", gen.Int64), gen.Optional("b", gen.Int64), gen.Optional("c", gen.Double)))})
			p, err := New(Whole(s.Root().Children[0]))
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			const rows = 4096
			leaves := make([]Leaf, 3)
			for range rows {
				items := r.IntN(9)
				if items == 0 || r.IntN(100) < nulls {
					def := uint8(r.IntN(2))
					for i := range leaves {
						leaves[i].Rep, leaves[i].Def = append(leaves[i].Rep, 0), append(leaves[i].Def, def)
					}
					continue
				}
				for j := range items {
					null := r.IntN(100) < nulls
					for i := range leaves {
						def := uint8(4)
						if null {
							def = 2
						} else if r.IntN(100) < nulls {
							def = 3
						}
						leaves[i].Rep, leaves[i].Def = append(leaves[i].Rep, uint8(min(j, 1))), append(leaves[i].Def, def)
					}
				}
			}
			levels, values := 0, make([]int, 3)
			for i := range leaves {
				levels += len(leaves[i].Def)
				values[i] = count(leaves[i].Def, 4)
				leaves[i].Values = &vector.Vector{}
			}
			var v *vector.Vector
			b.SetBytes(int64(levels))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				for i := range leaves {
					build.Reset(leaves[i].Values, s.Leaves()[i].Type)
					build.Extend(leaves[i].Values, values[i])
				}
				if v, err = p.Assemble(v, leaves, rows); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
