package column

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	mathbig "math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// question is a test, and the same as a naive function on PLAIN bytes.
type question struct {
	name string
	test *pred.Test
	pass func(plain string) bool
	null func(def uint32) (pass bool) // instead of pass
	all  bool                         // of a level that was named: slots of empty lists count
}

// randomQuestion asks something of the values of s.
//
//every:predicate random question but Never Codes (nothing passes; of dictionaries, by the cursor itself)
func randomQuestion(r *rand.Rand, s *sample) question {
	q := randomPositive(r, s)
	if r.IntN(3) == 0 && q.null == nil {
		// A test is a pointer to something immutable: negate a copy.
		t := *q.test
		t.Negate = !t.Negate
		pass := q.pass
		q = question{"not " + q.name, &t, func(p string) bool { return !pass(p) }, nil, false}
	}
	if s.leaf.MaxRep > 0 && r.IntN(2) == 0 {
		t := *q.test
		t.All = true
		q.test, q.name = &t, q.name+" all"
	}
	return q
}

//every:predicate random question
func randomPositive(r *rand.Rand, s *sample) question {
	value := func() string {
		if len(s.plain) == 0 {
			return strings.Repeat("\x00", 12)
		}
		return s.plain[r.IntN(len(s.plain))]
	}
	if k := r.IntN(8); k == 0 {
		negate := r.IntN(2) == 0
		t := pred.IsNull(0)
		t.Negate = negate
		item := itemLevel(s)
		return question{fmt.Sprint("null ", negate), t, nil, func(def uint32) bool {
			if negate {
				return def == s.leaf.MaxDef
			}
			return def < s.leaf.MaxDef && def >= item
		}, false}
	} else if k == 2 && s.leaf.MaxDef > 0 {
		level, negate := 1+r.IntN(int(s.leaf.MaxDef)), r.IntN(2) == 0
		t := pred.IsNull(level)
		t.Negate = negate
		return question{fmt.Sprint("null below ", level, negate), t, nil, func(def uint32) bool {
			return (int(def) < level) != negate
		}, true}
	} else if k == 1 {
		in := map[string]bool{}
		for range r.IntN(5) {
			in[value()] = true
		}
		return question{"func", pred.By(func(v *vector.Vector, sel []uint64) {
			for i := range v.Len {
				if p, _ := plainOf(v, i); !in[p] {
					sel[i/64] &^= 1 << (i % 64)
				}
			}
		}), func(p string) bool { return in[p] }, nil, false}
	}
	a, b := value(), value()
	switch s.leaf.Type {
	case gen.Boolean:
		lo, hi := int64(r.IntN(3)), int64(r.IntN(3))
		return question{fmt.Sprint("bools ", lo, hi), pred.Ints(lo, hi), func(p string) bool { return lo <= int64(p[0]) && int64(p[0]) <= hi }, nil, false}
	case gen.Int32, gen.Int64:
		return intQuestion(r, s, a, b, value)
	case gen.Float, gen.Double:
		number := func(p string) float64 {
			if len(p) == 4 {
				return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(p))))
			}
			return math.Float64frombits(binary.LittleEndian.Uint64([]byte(p)[:8]))
		}
		lo, hi := number(a), number(b)
		if r.IntN(3) == 0 {
			lo += 0.3
		}
		if r.IntN(3) == 0 {
			in := []float64{lo, hi, 0, math.NaN()}
			for range r.IntN(3) * r.IntN(30) {
				in = append(in, number(value()))
			}
			return question{fmt.Sprint("floats in ", in), pred.InFloats(in), func(p string) bool { return slices.Contains(in, number(p)) }, nil, false}
		}
		return question{fmt.Sprint("floats ", lo, hi), pred.Floats(lo, hi), func(p string) bool { x := number(p); return lo <= x && x <= hi }, nil, false}
	case gen.Int96:
		moment := func(p string) *mathbig.Int { // nanoseconds carry, however many
			days := mathbig.NewInt(int64(int32(binary.LittleEndian.Uint32([]byte(p)[8:]))))
			nanos := mathbig.NewInt(int64(binary.LittleEndian.Uint64([]byte(p))))
			return nanos.Add(nanos, days.Mul(days, mathbig.NewInt(86400e9)))
		}
		return question{"stamps", pred.Stamps([]byte(a), nil), func(p string) bool { return moment(p).Cmp(moment(a)) >= 0 }, nil, false}
	}
	if s.leaf.Type == gen.FixedLenByteArray && len(a) == 2 && r.IntN(2) == 0 {
		half := func(p string) float64 { return float64(vector.HalfToFloat(binary.LittleEndian.Uint16([]byte(p)))) }
		return question{"halves", pred.Halves(half(a), half(b)), func(p string) bool { return half(a) <= half(p) && half(p) <= half(b) }, nil, false}
	}
	if s.leaf.Type == gen.FixedLenByteArray && len(a) == 12 && r.IntN(2) == 0 {
		number := func(p string) *mathbig.Int {
			n := mathbig.NewInt(int64(binary.LittleEndian.Uint64([]byte(p)[4:])))
			return n.Add(n.Lsh(n, 32), mathbig.NewInt(int64(binary.LittleEndian.Uint32([]byte(p)))))
		}
		lo, hi := number(a), number(b)
		return question{"timestamps of 12 bytes", pred.LongStamps([]byte(a), []byte(b)), func(p string) bool { n := number(p); return lo.Cmp(n) <= 0 && n.Cmp(hi) <= 0 }, nil, false}
	}
	return stringQuestion(r, a, b, value)
}

func itemLevel(s *sample) uint32 {
	item := uint32(0)
	if s.leaf.MaxRep > 0 {
		item = s.leaf.MaxDef
		if s.leaf.Repetition == gen.Maybe {
			item--
		}
	}
	return item
}

//every:predicate random question
func intQuestion(r *rand.Rand, s *sample, a, b string, value func() string) question {
	number := func(p string) int64 {
		if s.leaf.Type == gen.Int32 {
			return int64(int32(binary.LittleEndian.Uint32([]byte(p))))
		}
		return int64(binary.LittleEndian.Uint64([]byte(p)[:8]))
	}
	unsigned := func(p string) uint64 {
		if s.leaf.Type == gen.Int32 {
			return uint64(binary.LittleEndian.Uint32([]byte(p)))
		}
		return binary.LittleEndian.Uint64([]byte(p)[:8])
	}
	switch lo, hi := number(a), number(b); r.IntN(4) {
	case 0:
		in := []int64{lo, hi}
		want := map[int64]bool{lo: true, hi: true}
		for range r.IntN(3) * r.IntN(30) {
			x := number(value())
			if r.IntN(4) == 0 {
				x += math.MaxUint32 // no INT32
			}
			in, want[x] = append(in, x), true
		}
		return question{fmt.Sprint("ints in ", in), pred.InInts(in), func(p string) bool { return want[number(p)] }, nil, false}
	case 1:
		width := 64
		if s.leaf.Type == gen.Int32 {
			width = 32
		}
		lo, hi := unsigned(a), unsigned(b)
		return question{fmt.Sprint("unsigned ", lo, hi), pred.Unsigned(width, lo, hi), func(p string) bool { x := unsigned(p); return lo <= x && x <= hi }, nil, false}
	case 2:
		if r.IntN(2) == 0 {
			hi = math.MaxInt64
		} else {
			lo = math.MinInt64
		}
		fallthrough
	default:
		return question{fmt.Sprint("ints ", lo, hi), pred.Ints(lo, hi), func(p string) bool { x := number(p); return lo <= x && x <= hi }, nil, false}
	}
}

//every:predicate random question
func stringQuestion(r *rand.Rand, a, b string, value func() string) question {
	part := a
	if len(a) > 0 {
		from := r.IntN(len(a))
		part = a[from : from+r.IntN(len(a)-from+1)]
	}
	switch r.IntN(8) {
	case 6:
		// Digits and dashes only: nothing to escape.
		if strings.ContainsAny(a+b, "%_") || !utf8.ValidString(a+b) || len(a) < 2 {
			break
		}
		front, back := a[:1], a[len(a)-1:]
		return question{"like", pred.LikePattern([]byte(front+"%_"+part+"%"+back), 0), func(p string) bool {
			n := len(front) + len(back)
			return len(p) > n && strings.HasPrefix(p, front) && strings.HasSuffix(p, back) && strings.Contains(dropRune(p[len(front):len(p)-len(back)]), part)
		}, nil, false}
	case 0:
		return question{"equal", pred.Text(pred.Equal, []byte(a)), func(p string) bool { return p == a }, nil, false}
	case 1:
		a = a[:r.IntN(len(a)+1)]
		return question{"prefix", pred.Text(pred.Prefix, []byte(a)), func(p string) bool { return strings.HasPrefix(p, a) }, nil, false}
	case 2:
		a = a[r.IntN(len(a)+1):]
		return question{"suffix", pred.Text(pred.Suffix, []byte(a)), func(p string) bool { return strings.HasSuffix(p, a) }, nil, false}
	case 3:
		return question{"contains", pred.Text(pred.Contains, []byte(part)), func(p string) bool { return strings.Contains(p, part) }, nil, false}
	case 4:
		in, want := [][]byte{[]byte(a), []byte(part)}, map[string]bool{a: true, part: true}
		for range r.IntN(3) * r.IntN(30) {
			x := value()
			in, want[x] = append(in, []byte(x)), true
		}
		return question{"in", pred.InStrings(in), func(p string) bool { return want[p] }, nil, false}
	case 7:
		if r.IntN(2) == 0 {
			return question{"just one", pred.Strings([]byte(a), []byte(a+"\x00")), func(p string) bool { return p == a }, nil, false}
		}
	case 5:
		lo, hi := big(a), big(b)
		return question{"decimals", pred.Decimals([]byte(a), []byte(b)), func(p string) bool { x := big(p); return x.Cmp(lo) >= 0 && x.Cmp(hi) <= 0 }, nil, false}
	}
	hi := []byte(b)
	if r.IntN(3) == 0 {
		hi = nil
	}
	return question{"strings", pred.Strings([]byte(a), hi), func(p string) bool {
		return p >= a && (hi == nil || bytes.Compare([]byte(p), hi) < 0)
	}, nil, false}
}

// want returns which rows of a window pass.
func (q *question) want(s *sample, at, n int) []bool {
	rows := make([]bool, n)
	for i := range rows {
		from, to := s.first[at+i], s.first[at+i+1]
		passed, failed := 0, 0
		for k := from; k < to; k++ {
			ok := q.null == nil && s.def(k) == s.leaf.MaxDef && q.pass(s.plain[s.value[k]]) || q.null != nil && q.null(s.def(k))
			switch {
			case ok:
				passed++
			case q.all || !isEmpty(s, k):
				failed++
			}
		}
		rows[i] = passed > 0
		if q.test.All && s.leaf.MaxRep > 0 {
			rows[i] = failed == 0
		}
	}
	return rows
}

// isEmpty reports whether a slot stands for a list without items. The lists of
// samples are bare, or optional and around a repeated group.
func isEmpty(s *sample, slot int) bool {
	if s.leaf.MaxRep == 0 {
		return false
	}
	for level, d := itemLevel(s), s.def(slot); ; level -= 2 {
		if d == level-1 {
			return true
		}
		if level < 3 {
			return false
		}
	}
}

// TestFilter asks random questions of random columns, several on a window.
func TestFilter(t *testing.T) {
	n := dtest.Rounds(t, 150)
	var cur Cursor
	var chunk Chunk
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 3))
		s, err := randomSample(r)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := filterAll(r, s, &cur, &chunk); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, s.what, err)
		}
	}
}

func filterAll(r *rand.Rand, s *sample, cur *Cursor, chunk *Chunk) error {
	src, raw, err := s.file.source(0, 0, r.IntN(2) == 0)
	if err != nil {
		return err
	}
	if err := chunk.Reset(src); err != nil {
		return err
	}
	cur.Close()
	cur.Open(chunk, &memory{chunk: raw, spoil: true}, Options{Returned: r.IntN(2) == 0, Codes: r.IntN(4) == 0, NoValues: r.IntN(6) == 0, Force: randomForce(r), HeaderJudge: []HeaderJudge{nil, judgeInts}[r.IntN(2)]})
	var questions []question
	for range 1 + r.IntN(3) {
		questions = append(questions, randomQuestion(r, s))
	}
	size := []int{10, 100, 1024, 5000}[r.IntN(4)]
	for cur.At() < src.Rows {
		n := int(min(int64(1+r.IntN(size)), src.Rows-cur.At()))
		at := int(cur.At())
		cur.Window(cur.At() + int64(n))
		sel := randomSelection(r, n, false)
		if sel == nil {
			sel = new(Selection)
			sel.Fill(n)
		}
		for _, q := range questions {
			before := new(Selection)
			before.Copy(sel)
			if err := cur.Filter(sel, q.test); err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
			want := q.want(s, at, n)
			for i := range n {
				was, is := before.Bits[i/64]>>(i%64)&1 != 0, sel.Bits[i/64]>>(i%64)&1 != 0
				if is != (was && want[i]) {
					return fmt.Errorf("%s: row %d, in window of %d at %d: %v, want %v", q.name, at+i, n, at, is, was && want[i])
				}
			}
			if r.IntN(3) == 0 {
				b := batch{at: at, n: n, sel: sel}
				if err := b.read(s, cur, false); err != nil {
					return err
				}
				if err := b.check(s); err != nil {
					return fmt.Errorf("behind %s: %w", q.name, err)
				}
			}
		}
		for from := 0; from < n && !sel.None(); {
			// Pieces of the window, as a scanner reads what is left.
			to := min(from+1+r.IntN(n), n)
			piece := new(Selection)
			piece.Clear(to - from)
			for i := from; i < to; i++ {
				if sel.Bits[i/64]>>(i%64)&1 != 0 {
					piece.SetRange(i-from, i-from+1)
				}
			}
			if from == 0 && r.IntN(2) == 0 {
				cur.Expect(sel, int64(at))
			}
			cur.Advance(int64(at + from))
			cur.Window(int64(at + to))
			b := batch{at: at + from, n: to - from, sel: piece}
			if err := b.read(s, cur, r.IntN(2) == 0); err != nil {
				return err
			}
			if err := b.check(s); err != nil {
				return fmt.Errorf("a piece: %w", err)
			}
			cur.Release(b.values())
			from = to
		}
		cur.Advance(int64(at + n))
	}
	cur.Close()
	return closed(cur, &src)
}

// big returns a two's complement number.
func big(p string) *mathbig.Int {
	x := new(mathbig.Int).SetBytes([]byte(p))
	if len(p) > 0 && p[0] >= 0x80 {
		x.Sub(x, new(mathbig.Int).Lsh(mathbig.NewInt(1), uint(8*len(p))))
	}
	return x
}

// dropRune returns s without its first code point.
func dropRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[n:]
}
