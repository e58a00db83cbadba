package keys

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

func literals(values ...any) (all []*value.Literal) {
	for _, v := range values {
		all = append(all, value.Of(v))
	}
	return all
}

func encoded(t testing.TB, k *Set) []byte {
	t.Helper()
	b, err := k.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func int64s(values ...int64) *vector.Vector {
	return &vector.Vector{Type: vector.Type{Physical: vector.Int64}, Len: len(values), Int64s: values}
}

func doubles(values ...float64) *vector.Vector {
	return &vector.Vector{Type: vector.Type{Physical: vector.Double}, Len: len(values), Doubles: values}
}

// TestNothingEquals: keys with a NULL or a NaN are not added, in whatever column.
func TestNothingEquals(t *testing.T) {
	var k Set
	nan := &value.Literal{Kind: value.LitFloat, Double: math.NaN()}
	k.Add([]*value.Literal{value.Of(1), nan})
	k.Add([]*value.Literal{nan, value.Of(1)})
	k.Add(literals(nil, 1))
	k.Add(literals(1, nil))
	null := int64s(1, 2, 3)
	null.Validity = []uint64{0b110}
	k.AddColumns([]*vector.Vector{null, doubles(1, math.NaN(), 3)})
	unknown := &vector.Vector{Type: vector.Type{Physical: vector.Int32, Logical: vector.Null}, Len: 3, Int32s: make([]int32, 3), Validity: []uint64{0}}
	k.AddColumns([]*vector.Vector{null, unknown})
	if k.Len() != 1 || len(k.tuples.pending) != 1 || len(k.columns[0].seen.pending) != 1 || len(k.columns[1].seen.pending) != 1 || k.Fault() != "" {
		t.Errorf("%d keys, %d words, %q", k.Len(), len(k.tuples.pending), k.Fault())
	}
}

// TestKeepTuples: a row passes by its own values alone, not by what a NULL slot stores,
// and bits behind the last row stay as they are.
func TestKeepTuples(t *testing.T) {
	const rows = 130
	var k Set
	k.Reserve(1 << 12)
	a, b := int64s(make([]int64, rows)...), doubles(make([]float64, rows)...)
	b.Validity = make([]uint64, bits.Words(rows))
	var want []uint64
	for i := range rows {
		a.Int64s[i], b.Doubles[i] = int64(i%7), float64(i%5)/2
		if i%3 > 0 {
			bits.Set(b.Validity, i)
		}
	}
	k.Add(literals(3, 0.5))
	k.Add(literals(6, 2))
	k.Finish()
	want = make([]uint64, bits.Words(rows))
	for i := range rows {
		x, y := i%7, i%5
		if i%3 > 0 && (x == 3 && y == 1 || x == 6 && y == 4) && i != 101 {
			bits.Set(want, i)
		}
	}
	sel := []uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	bits.Clear(sel, 101)
	for i := rows; i < 192; i++ {
		bits.Set(want, i)
	}
	hashers := []Hasher{HasherOf(value.DomainOf(a.Type)), HasherOf(value.DomainOf(b.Type))}
	k.KeepTuples(hashers, []*vector.Vector{a, b}, rows, sel)
	for i := range sel {
		if sel[i] != want[i] {
			t.Errorf("word %d: %064b, want %064b", i, sel[i], want[i])
		}
	}
}

// TestTupleWords: tuples that differ in any bits, high or low, have words of their own.
func TestTupleWords(t *testing.T) {
	seen := map[uint64]bool{}
	n := 0
	for i := range uint64(256) {
		for j := range uint64(256) {
			for _, tuple := range [][2]uint64{{i, j << 32}, {i << 32, j}, {math.Float64bits(float64(i) + 0.5), j}, {i * 1e9, math.Float64bits(float64(j) + 0.5)}} {
				if tuple[0] != 0 && tuple[1] != 0 { // else several are one tuple
					seen[tupleWord(tupleWord(0, tuple[0]), tuple[1])] = true
					n++
				}
			}
		}
	}
	if len(seen) != n {
		t.Errorf("%d tuples have %d words", n, len(seen))
	}
}

// TestMerge: sets that were filled apart are as one that was filled with all, whether
// they grow or have room for all.
func TestMerge(t *testing.T) {
	for name, room := range map[string]int{"growing": 0, "reserved": 1000} {
		newSet := func() *Set {
			k := new(Set)
			if room > 0 {
				k.Reserve(room)
			}
			return k
		}
		fill := func(k *Set, from, to int) {
			for i := from; i < to; i++ {
				k.Add(literals(i*i-500, strings.Repeat("x", i%9)+string(rune('a'+i%26))))
			}
		}
		const parts, each = 4, 250
		all, merged := newSet(), newSet()
		sets := make([]*Set, parts)
		var wg sync.WaitGroup
		for p := range parts {
			fill(all, p*each, (p+1)*each)
			sets[p] = newSet()
			wg.Go(func() { fill(sets[p], p*each, (p+1)*each) })
		}
		wg.Wait()
		for _, s := range sets {
			before := encoded(t, s)
			merged.Merge(s)
			if !bytes.Equal(before, encoded(t, s)) {
				t.Errorf("%s: Merge changes what it adds", name)
			}
		}
		merged.Merge(new(Set))
		if !bytes.Equal(encoded(t, merged), encoded(t, all)) {
			t.Errorf("%s: %d merged keys are not those of %d", name, merged.Len(), all.Len())
		}
	}
}

// TestMergeOfUnlike: no key is lost between sets of different sizes and forms.
func TestMergeOfUnlike(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for i := range 200 {
		var all []int64
		of := func() *Set {
			k := new(Set)
			if r.IntN(2) == 0 {
				k.Reserve(1 << r.IntN(12))
			}
			for range r.IntN(100) {
				v := r.Int64()
				k.AddInt64(v)
				all = append(all, v)
			}
			if r.IntN(3) == 0 {
				k.Finish()
			}
			return k
		}
		k := of()
		for range 3 {
			k.Merge(of())
		}
		k.Finish()
		if k.Len() != len(all) {
			t.Fatalf("case %d: %d keys, not %d", i, k.Len(), len(all))
		}
		if len(all) == 0 {
			continue
		}
		v := int64s(all...)
		sel := make([]uint64, bits.Words(v.Len))
		bits.SetRange(sel, 0, v.Len)
		h := HasherOf(value.DomainOf(v.Type))
		k.Keep(0, &h, v, sel)
		if n := bits.Count(sel, 0, v.Len); n != v.Len {
			t.Fatalf("case %d: %d of %d keys are lost", i, v.Len-n, v.Len)
		}
	}
}

// samples are sets of each form.
func samples() (all []*Set) {
	var one, grown, reserved, finished, tuples Set
	one.AddInt64(1 << 40)
	for _, k := range []*Set{&grown, &finished} {
		k.Add(literals("b"))
		k.AddBytes(nil, true)
		k.AddBytes([]byte("\x00\xff"), false)
	}
	finished.Finish()
	reserved.Reserve(20)
	reserved.Add(literals(0.1))
	reserved.Add([]*value.Literal{{Kind: value.LitFloat, Double: math.Inf(-1)}})
	tuples.Add(literals(1, "x", true))
	tuples.Add(literals(-1, "", false))
	return []*Set{new(Set), &one, &grown, &reserved, &finished, &tuples}
}

// TestEncoding: what is decoded is the same set, and grows on.
func TestEncoding(t *testing.T) {
	for i, k := range samples() {
		b := encoded(t, k)
		var again Set
		again.AddBytes([]byte("is replaced"), true)
		if err := again.Decode(b); err != nil {
			t.Fatalf("sample %d: %v", i, err)
		}
		if !bytes.Equal(encoded(t, &again), b) {
			t.Errorf("sample %d changes", i)
		}
		if k.Width() == 1 && k.columns[0].comparableTo&value.Numbers.Only() != 0 {
			k.AddInt64(77)
			again.AddInt64(77)
			if !bytes.Equal(encoded(t, &again), encoded(t, k)) {
				t.Errorf("sample %d takes other values", i)
			}
		}
	}
	var bad Set
	bad.Add(literals(struct{}{}))
	if _, err := bad.AppendTo(nil); err == nil {
		t.Error("a set with a fault is encoded")
	}
}

// TestDamage: each prefix is an error, and so is a byte too many. No claim allocates what
// is not there. After an error, the set is empty.
func TestDamage(t *testing.T) {
	for i, k := range samples() {
		b := encoded(t, k)
		for n := range len(b) {
			var again Set
			if err := again.Decode(b[:n]); err == nil || again.Len() != 0 || again.Width() != 0 {
				t.Errorf("sample %d: %d of %d bytes: %v", i, n, len(b), err)
			}
		}
		if err := new(Set).Decode(append(b, 0)); err == nil {
			t.Errorf("sample %d: a byte too many", i)
		}
	}
	head := append([]byte(magic), version)
	for name, b := range map[string][]byte{
		"another version":  append([]byte(magic), version+1, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		"another format":   []byte("PAR1 and more"),
		"keys, no columns": append(append(head[:6:6], 0), 1, 0, 0, 0, 0, 0, 0, 0),
		"no words": func() []byte { // a Bloom filter of none
			var k Set
			k.Reserve(1)
			k.AddInt64(5)
			b := encoded(t, &k)
			return append(b[:len(b)-16], make([]byte, 8)...)
		}(),
		"words": func() []byte {
			var k Set
			k.AddInt64(5)
			b := encoded(t, &k)
			binary.LittleEndian.PutUint64(b[len(b)-16:], 1<<24)
			return b
		}(),
		"a string": func() []byte {
			var k Set
			k.AddBytes([]byte("x"), true)
			b := encoded(t, &k)
			binary.LittleEndian.PutUint32(b[6+1+8+2+16:], math.MaxUint32)
			return b
		}(),
		"255 columns": append(append(head[:6:6], 255), make([]byte, 8)...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := new(Set).Decode(b)
		runtime.ReadMemStats(&after)
		if err == nil || after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: %v, %d bytes allocated", name, err, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

// FuzzDecode: no bytes panic, or make a set that does when it is used; and what is
// accepted is encoded as it was.
func FuzzDecode(f *testing.F) {
	for _, k := range samples() {
		f.Add(encoded(f, k))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var k Set
		if k.Decode(b) != nil {
			return
		}
		if again := encoded(t, &k); !bytes.Equal(again, b) {
			t.Fatalf("%x is encoded as %x", b, again)
		}
		var sum Set
		sum.Merge(&k)
		sum.Merge(&k)
		sum.Finish()
		for i := range sum.Width() {
			for _, typ := range []vector.Type{
				{Physical: vector.Int64}, {Physical: vector.Double}, {Physical: vector.ByteArray, Logical: vector.String}, {Physical: vector.Boolean},
				{Physical: vector.Int32, Logical: vector.Date}, {Physical: vector.Int96}, {Physical: vector.Int64, Logical: vector.Decimal, Precision: 18, Scale: 2},
			} {
				v := &vector.Vector{}
				build.Reset(v, typ)
				build.Extend(v, 3)
				d := value.DomainOf(typ)
				h := HasherOf(d)
				sum.Keep(i, &h, v, []uint64{7})
				_ = sum.ComparableTo(i, d)
				_ = sum.Within(i, d)
			}
		}
		if n := sum.Width(); n > 1 {
			v, hashers := make([]*vector.Vector, n), make([]Hasher, n)
			for i := range v {
				v[i], hashers[i] = int64s(1, 2, 3), HasherOf(value.DomainOf(vector.Type{Physical: vector.Int64}))
			}
			sum.KeepTuples(hashers, v, 3, []uint64{7})
		}
	})
}
