package bits

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// moveViews returns views of strings of random lengths in buffer 0, and their text.
func moveViews(n int) ([]View, []byte) {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	text := make([]byte, 1<<10)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	views := make([]View, n)
	for i := range views {
		from := r.IntN(len(text) - 30)
		views[i] = Make(text[from:][:r.IntN(30)], 0, int32(from))
	}
	return views, text
}

func TestMoveAllChangesTheBufferAlone(t *testing.T) {
	for _, buffer := range []int32{0, 1, 77, 1<<31 - 1} {
		views, text := moveViews(200)
		was := append([]View(nil), views...)
		MoveAll(views, buffer)
		for i, v := range views {
			if v.IsInline() {
				if v != was[i] {
					t.Fatalf("inline view %d changed", i)
				}
				continue
			}
			_, offset := was[i].Ref()
			if b, o := v.Ref(); b != buffer || o != offset || v.Head() != was[i].Head() {
				t.Fatalf("view %d of %q is at %d of buffer %d, not %d of %d", i, text[offset:][:v.Len()], o, b, offset, buffer)
			}
		}
	}
}

func BenchmarkMoveAll(b *testing.B) {
	views, _ := moveViews(8192)
	for _, impl := range []string{"MoveAll", "Moved"} {
		b.Run(fmt.Sprintf("impl=%s", impl), func(b *testing.B) {
			b.SetBytes(int64(len(views)) * 16)
			b.ReportAllocs()
			for buffer := int32(1); b.Loop(); buffer++ {
				if impl == "MoveAll" {
					MoveAll(views, buffer)
					continue
				}
				for i := range views {
					if !views[i].IsInline() {
						_, offset := views[i].Ref()
						views[i] = views[i].Moved(buffer, offset)
					}
				}
			}
		})
	}
}
