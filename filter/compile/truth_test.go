package compile

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// TestTruth holds IS UNKNOWN, IS DISTINCT FROM and comparisons of conditions, which the parser says
// by other conditions, against what they mean.
func TestTruth(t *testing.T) {
	truth := func(b bool) naive.Truth {
		if b {
			return naive.True
		}
		return naive.False
	}
	unknown := func(x naive.Truth) bool { return x != naive.True && x != naive.False }
	of := func(op string, x, y naive.Truth) naive.Truth {
		same := x == y || unknown(x) && unknown(y)
		switch op {
		case "IS UNKNOWN":
			return truth(unknown(x))
		case "IS NOT UNKNOWN":
			return truth(!unknown(x))
		case "IS DISTINCT FROM":
			return truth(!same)
		case "IS NOT DISTINCT FROM":
			return truth(same)
		}
		switch {
		case unknown(x):
			return x
		case unknown(y):
			return y
		}
		return truth(same == (op == "="))
	}
	for i := range dtest.Rounds(t, 400) {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		w := newWorld(t, r, 20)
		g := &writer{r, w}
		left, right := g.condition(r.IntN(3)), g.condition(r.IntN(3))
		op := pick(r, "=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "IS UNKNOWN", "IS NOT UNKNOWN")
		text := "(" + left + ") " + op
		if !strings.HasSuffix(op, "UNKNOWN") {
			text += " (" + right + ")"
		}
		is, not := pick(r, "", "IS UNKNOWN", "IS NOT UNKNOWN"), r.IntN(2) == 0
		if is != "" {
			text = "(" + text + ") " + is
		}
		if not {
			text = "NOT (" + text + ")"
		}
		x, y := mustParse(left), mustParse(right)
		if strings.Contains(op, "DISTINCT") && (treeOf(x).Op == tree.BooleanColumn || treeOf(y).Op == tree.BooleanColumn) {
			continue // maybe the items of a list
		}
		e := mustParse(text)
		p, err := Bind(e, w.schema, nil)
		if err != nil {
			t.Fatalf("-seed %d case %d: %s: %v", *seed, i, text, err)
		}
		sel := w.run(p)
		for row := range w.rows {
			eval := func(e *filter.Expr) naive.Truth { return record{w, row}.eval(treeOf(e)) }
			z := of(op, eval(x), eval(y))
			if is != "" {
				z = of(is, z, z)
			}
			if want := z == naive.True && !not || z == naive.False && not; bits.Get(sel, row) != want {
				t.Fatalf("-seed %d case %d: %s\nprogram %s\nrow %d: want %v", *seed, i, text, p, row, want)
			}
		}
	}
}
