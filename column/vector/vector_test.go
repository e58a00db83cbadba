package vector_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// The model of a slot is its text, made slot by slot from what Vector's
// comment says, without any of the functions that are tested.
func slot(v *vector.Vector, i int) string {
	if v.Form == vector.Constant {
		i = 0
	}
	if len(v.Validity) > 0 && v.Validity[i/64]>>(i%64)&1 == 0 {
		return "-"
	}
	var items []string
	switch v.Layout {
	case vector.Struct:
		for _, c := range v.Children {
			items = append(items, slot(c, i))
		}
		return "{" + strings.Join(items, " ") + "}"
	case vector.List, vector.Map:
		for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
			item := ""
			for _, c := range v.Children {
				item += ":" + slot(c, int(j))
			}
			items = append(items, item)
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	if v.Form == vector.Dictionary {
		return slot(v.Dict, int(v.Codes[i]))
	}
	switch t := v.Type; t.Physical {
	case vector.Boolean:
		return fmt.Sprint(v.Bools[i/64] >> (i % 64) & 1)
	case vector.Int32:
		return fmt.Sprint(v.Int32s[i])
	case vector.Int64:
		return fmt.Sprint(v.Int64s[i])
	case vector.Float:
		return fmt.Sprint(v.Floats[i])
	case vector.Double:
		return fmt.Sprint(v.Doubles[i])
	case vector.Int96:
		return fmt.Sprintf("%x", v.Fixed[i*12:][:12])
	case vector.FixedLenByteArray:
		if t.Length <= 64 {
			return fmt.Sprintf("%x", v.Fixed[i*int(t.Length):][:t.Length])
		}
	}
	return string(v.Views[i].Bytes(v.Buffers))
}

func slots(v *vector.Vector) []string {
	all := make([]string, v.Len)
	for i := range all {
		all[i] = slot(v, i)
	}
	return all
}

var leafTypes = []vector.Type{
	{Physical: vector.Boolean}, {Physical: vector.Int32}, {Physical: vector.Int64}, {Physical: vector.Int96}, {Physical: vector.Float}, {Physical: vector.Double},
	{Physical: vector.ByteArray}, {Physical: vector.FixedLenByteArray, Length: 5}, {Physical: vector.FixedLenByteArray, Length: 64},
	{Physical: vector.FixedLenByteArray, Length: 65},
}

// setRandom puts n random values into the slots from first on.
func setRandom(r *rand.Rand, v *vector.Vector, first, n int) {
	var buffer []byte
	for i := first; i < first+n; i++ {
		x := 1 + r.Uint32N(1000)
		switch v.Type.Store() {
		case vector.InBools:
			bits.Insert(v.Bools, i, uint64(x), 1)
		case vector.InInt32s:
			v.Int32s[i] = int32(x)
		case vector.InInt64s:
			v.Int64s[i] = int64(x) << 32
		case vector.InFloats:
			v.Floats[i] = float32(x) / 8
		case vector.InDoubles:
			v.Doubles[i] = float64(x) / 8
		case vector.InFixed:
			w := v.Type.Width()
			copy(v.Fixed[i*w:(i+1)*w], strings.Repeat(fmt.Sprint(x), w))
		case vector.InViews:
			length := r.IntN(30)
			if v.Type.Physical == vector.FixedLenByteArray {
				length = int(v.Type.Length)
			}
			s := []byte(strings.Repeat(fmt.Sprint(x), length))[:length]
			v.Views[i] = bits.Make(s, int32(len(v.Buffers)), int32(len(buffer)))
			buffer = append(buffer, s...)
		}
	}
	if v.Type.Store() == vector.InViews {
		build.AddBuffer(v, buffer)
	}
}

// random returns a vector of n slots of f, built as a cursor would.
func random(r *rand.Rand, f vector.Field, n int) *vector.Vector {
	v := build.New(&f)
	form := vector.Form(r.IntN(3))
	if form == vector.Constant {
		if n == 0 {
			return v
		}
		one := random(r, f, 1)
		one.Flatten()
		one.Form, one.Len = vector.Constant, n
		return one
	}
	if f.Layout != vector.Leaf {
		build.ResetNested(v, f.Type, f.Layout, n)
		clear(v.Offsets)
		items := n
		if f.Layout != vector.Struct {
			items = 0
		}
		for i := range n {
			if f.Nullable && r.IntN(3) == 0 {
				build.NeedValidity(v)
				bits.Clear(v.Validity, i)
			} else if f.Layout != vector.Struct {
				items += r.IntN(4)
			}
			if f.Layout != vector.Struct {
				v.Offsets[i+1] = int32(items)
			}
		}
		for i := range f.Children {
			v.Children[i] = random(r, f.Children[i], items)
		}
		return v
	}
	if form == vector.Dictionary {
		dict := build.New(&f)
		build.Extend(dict, 1+r.IntN(5))
		setRandom(r, dict, 0, dict.Len)
		build.UseDictionary(v, dict)
	}
	for v.Len < n { // in pieces, as pages are
		piece := min(1+r.IntN(150), n-v.Len)
		first := build.Extend(v, piece)
		values := 0
		for i := first; i < v.Len; i++ {
			if f.Nullable && r.IntN(4) == 0 {
				build.NeedValidity(v)
				bits.Clear(v.Validity, i)
			} else {
				values++
			}
		}
		if v.Form == vector.Dictionary {
			for i := range values {
				v.Codes[first+i] = r.Uint32N(uint32(v.Dict.Len))
			}
		} else {
			setRandom(r, v, first, values)
		}
		build.Spread(v, first)
	}
	return v
}

func leaf(t vector.Type) vector.Field { return vector.Field{Name: "x", Type: t, Nullable: true} }

func group(layout vector.Layout, children ...vector.Field) vector.Field {
	return vector.Field{Name: "g", Type: vector.Type{Physical: vector.Group}, Layout: layout, Nullable: true, Children: children}
}

func fields() []vector.Field {
	var all []vector.Field
	for _, t := range leafTypes {
		all = append(all, leaf(t))
	}
	n, s := leaf(vector.Type{Physical: vector.Int32}), leaf(vector.Type{Physical: vector.ByteArray})
	return append(all,
		group(vector.Struct), group(vector.Struct, n, s), group(vector.List, n), group(vector.List, group(vector.List, s)), group(vector.Map, n, s), group(vector.Map, s),
		group(vector.List, group(vector.Struct, n, group(vector.List, s))))
}

func check(t *testing.T, what string, v *vector.Vector, want []string) {
	t.Helper()
	if err := validate.Vector(v); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got := slots(v); !slices.Equal(got, want) {
		t.Fatalf("%s:\ngot  %v\nwant %v", what, got, want)
	}
}

func TestSlotsAreAppended(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range fields() {
		for range 60 {
			dst := build.New(&f)
			if f.Layout == vector.Leaf && r.IntN(3) == 0 {
				dict := build.New(&f)
				build.Extend(dict, 3)
				setRandom(r, dict, 0, 3)
				build.UseDictionary(dst, dict)
			}
			var want []string
			for range r.IntN(5) {
				src := random(r, f, r.IntN(200))
				if r.IntN(4) == 0 && src.Form == vector.Dictionary && dst.Len == 0 && f.Layout == vector.Leaf {
					build.UseDictionary(dst, src.Dict)
				}
				before := slots(src)
				switch r.IntN(2) {
				case 0:
					from := r.IntN(src.Len + 1)
					to := from + r.IntN(src.Len+1-from)
					build.AppendSlots(dst, src, from, to)
					want = append(want, before[from:to]...)
				case 1:
					n := r.IntN(70)
					build.AppendNulls(dst, n)
					for range n {
						want = append(want, "-")
					}
				}
				check(t, "source afterwards", src, before)
			}
			check(t, fmt.Sprint("appended to ", f), dst, want)
		}
	}
}

func TestDictionariesAreKept(t *testing.T) {
	typ := vector.Type{Physical: vector.Int32}
	dict := build.New(&vector.Field{Type: typ})
	build.Extend(dict, 2)
	dict.Int32s[0], dict.Int32s[1] = 5, 6
	var a, b vector.Vector
	for _, v := range []*vector.Vector{&a, &b} {
		build.Reset(v, typ)
		build.UseDictionary(v, dict)
		v.Codes[build.Extend(v, 1)] = 0
		build.AppendNulls(v, 1)
		v.Codes[build.Extend(v, 1)] = 1
	}
	build.AppendSlots(&a, &b, 1, 3)
	check(t, "same dictionary", &a, []string{"5", "-", "6", "-", "6"})
	if a.Form != vector.Dictionary || a.Dict != dict {
		t.Error("the dictionary is gone")
	}
	b.Flatten()
	build.AppendSlots(&a, &b, 0, 2)
	check(t, "flat behind dictionary", &a, []string{"5", "-", "6", "-", "6", "5", "-"})
	if a.Form != vector.Flat || dict.Len != 2 || dict.Int32s[1] != 6 {
		t.Error("not flat, or the dictionary has changed")
	}
}

func TestFlattenKeepsSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range fields() {
		for range 60 {
			v := random(r, f, r.IntN(200))
			want := slots(v)
			check(t, "before", v, want)
			b := vector.Batch{Fields: []vector.Field{f}, Columns: []*vector.Vector{v}, Len: v.Len}
			if err := validate.Batch(&b); err != nil {
				t.Fatal(err)
			}
			nulls := 0
			for i, s := range want {
				if s == "-" {
					nulls++
				}
				if v.IsNull(i) != (s == "-") {
					t.Fatalf("slot %d of %v: IsNull is %v", i, want, v.IsNull(i))
				}
			}
			if v.Nulls() != nulls {
				t.Fatalf("%d NULLs of %v", v.Nulls(), want)
			}
			v.Flatten()
			check(t, fmt.Sprint("flattened ", f), v, want)
			if v.Form != vector.Flat {
				t.Fatal("not flat")
			}
		}
		v := build.Null(&f, 70)
		if v.Form != vector.Constant || slot(v, 69) != "-" || v.Nulls() != 70 {
			t.Fatal("not NULL", f)
		}
		v.Flatten()
		check(t, "NULLs", v, slices.Repeat([]string{"-"}, 70))
	}
}

// Packed values are spread over a validity that begins at any bit.
func TestSpreadPutsValuesWhereTheyBelong(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, typ := range leafTypes {
		for range 200 {
			var v vector.Vector
			build.Reset(&v, typ)
			head := r.IntN(130)
			build.Extend(&v, head)
			setRandom(r, &v, 0, head)
			want := slots(&v)
			n := r.IntN(300)
			packed := build.New(&vector.Field{Type: typ})
			build.Extend(packed, n)
			setRandom(r, packed, 0, n)
			build.AppendSlots(&v, packed, 0, n)
			build.NeedValidity(&v)
			chance, k := r.IntN(101), 0
			for i := range n {
				if r.IntN(100) < chance {
					bits.Clear(v.Validity, head+i)
					want = append(want, "-")
					continue
				}
				want = append(want, slot(packed, k))
				k++
			}
			build.Spread(&v, head)
			check(t, "spread", &v, want)
		}
	}
}

func TestResetKeepsMemory(t *testing.T) {
	var v vector.Vector
	dirty := func() {
		build.Reset(&v, vector.Type{Physical: vector.Int64})
		build.NeedValidity(&v)
		first := build.Extend(&v, 1000)
		bits.ClearRange(v.Validity, 3, 700)
		for i := range v.Int64s {
			v.Int64s[i] = 7
		}
		build.Spread(&v, first)
	}
	dirty()
	if n := testing.AllocsPerRun(10, dirty); n != 0 {
		t.Errorf("%v allocations", n)
	}
	build.Reset(&v, vector.Type{Physical: vector.Int64})
	if v.Len != 0 || v.Nulls() != 0 || len(v.Validity) > 0 {
		t.Error("not empty")
	}
	build.AppendNulls(&v, 2)
	first := build.Extend(&v, 1)
	v.Int64s[first] = 9
	check(t, "reused", &v, []string{"-", "-", "9"})
	build.DropValidity(&v)
	build.NeedValidity(&v)
	if v.Nulls() != 0 {
		t.Error("new validity has NULLs")
	}
}

func TestValidateFindsFaults(t *testing.T) {
	n := leaf(vector.Type{Physical: vector.Int32})
	for what, spoil := range map[string]func(v, list *vector.Vector){
		"short values": func(v, list *vector.Vector) { v.Int32s = v.Int32s[:3] },
		"short validity": func(v, list *vector.Vector) {
			build.Extend(v, 66)
			list.Offsets[2], v.Validity = 70, v.Validity[:1]
		},
		"value in NULL":      func(v, list *vector.Vector) { v.Int32s[2] = 1 },
		"falling offsets":    func(v, list *vector.Vector) { list.Offsets[1] = 5 },
		"offsets beyond":     func(v, list *vector.Vector) { list.Offsets[2] = 5 },
		"offsets from 1":     func(v, list *vector.Vector) { list.Offsets[0] = 1 },
		"NULL list of items": func(v, list *vector.Vector) { build.NeedValidity(list); bits.Clear(list.Validity, 0) },
		"missing child":      func(v, list *vector.Vector) { list.Children = nil },
		"layout":             func(v, list *vector.Vector) { v.Layout = vector.Struct },
		"dictionary":         func(v, list *vector.Vector) { v.Form = vector.Dictionary },
		"view before a buffer": func(v, list *vector.Vector) {
			v.Type.Physical, v.Views, v.Buffers = vector.ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, -1)}, [][]byte{make([]byte, 20)}
		},
		"view behind a buffer": func(v, list *vector.Vector) {
			v.Type.Physical, v.Views, v.Buffers = vector.ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, 8)}, [][]byte{make([]byte, 20)}
		},
		"view of no buffer": func(v, list *vector.Vector) {
			v.Type.Physical, v.Views, v.Buffers = vector.ByteArray, []bits.View{3: bits.RefWords(13, 1, 1, 0)}, [][]byte{make([]byte, 20)}
		},
		"view without buffer": func(v, list *vector.Vector) {
			v.Type.Physical, v.Views = vector.ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, 0)}
		},
	} {
		v := build.New(&n)
		build.Extend(v, 4)
		build.NeedValidity(v)
		copy(v.Int32s, []int32{1, 2, 0, 4})
		bits.Clear(v.Validity, 2)
		f := group(vector.List, n)
		list := build.New(&f)
		build.ResetNested(list, f.Type, f.Layout, 2)
		copy(list.Offsets, []int32{0, 2, 4})
		list.Children[0] = v
		if err := validate.Vector(list); err != nil {
			t.Fatal(err)
		}
		if spoil(v, list); validate.Vector(list) == nil {
			t.Errorf("%s: not found", what)
		}
	}
}

// plain returns the PLAIN bytes of slot i of a flat leaf.
func plain(v *vector.Vector, i int) []byte {
	switch v.Type.Store() {
	case vector.InBools:
		return []byte{byte(v.Bools[i/64] >> (i % 64) & 1)}
	case vector.InInt32s:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.Int32s[i]))
	case vector.InInt64s:
		return binary.LittleEndian.AppendUint64(nil, uint64(v.Int64s[i]))
	case vector.InFloats:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Floats[i]))
	case vector.InDoubles:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Doubles[i]))
	case vector.InFixed:
		return v.Fixed[i*v.Type.Width():][:v.Type.Width()]
	}
	return v.Views[i].Bytes(v.Buffers)
}
