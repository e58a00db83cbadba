package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// The model of a slot is its text, made slot by slot from what Vector's
// comment says, without any of the functions that are tested.
func slot(v *Vector, i int) string {
	if v.Form == Constant {
		i = 0
	}
	if v.Validity != nil && v.Validity[i/64]>>(i%64)&1 == 0 {
		return "-"
	}
	var items []string
	switch v.Layout {
	case Struct:
		for _, c := range v.Children {
			items = append(items, slot(c, i))
		}
		return "{" + strings.Join(items, " ") + "}"
	case List, Map:
		for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
			item := ""
			for _, c := range v.Children {
				item += ":" + slot(c, int(j))
			}
			items = append(items, item)
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	if v.Form == Dictionary {
		return slot(v.Dict, int(v.Codes[i]))
	}
	switch t := v.Type; t.Physical {
	case Boolean:
		return fmt.Sprint(v.Bools[i/64] >> (i % 64) & 1)
	case Int32:
		return fmt.Sprint(v.Int32s[i])
	case Int64:
		return fmt.Sprint(v.Int64s[i])
	case Float:
		return fmt.Sprint(v.Floats[i])
	case Double:
		return fmt.Sprint(v.Doubles[i])
	case Int96:
		return fmt.Sprintf("%x", v.Fixed[i*12:][:12])
	case FixedLenByteArray:
		if t.Length <= 64 {
			return fmt.Sprintf("%x", v.Fixed[i*int(t.Length):][:t.Length])
		}
	}
	return string(v.Views[i].Bytes(v.Buffers))
}

func slots(v *Vector) []string {
	all := make([]string, v.Len)
	for i := range all {
		all[i] = slot(v, i)
	}
	return all
}

var leafTypes = []Type{
	{Physical: Boolean}, {Physical: Int32}, {Physical: Int64}, {Physical: Int96}, {Physical: Float}, {Physical: Double},
	{Physical: ByteArray}, {Physical: FixedLenByteArray, Length: 5}, {Physical: FixedLenByteArray, Length: 64},
	{Physical: FixedLenByteArray, Length: 65},
}

// setRandom puts n random values into the slots from first on.
func setRandom(r *rand.Rand, v *Vector, first, n int) {
	var buffer []byte
	for i := first; i < first+n; i++ {
		x := 1 + r.Uint32N(1000)
		switch v.Type.Store() {
		case InBools:
			bits.Insert(v.Bools, i, uint64(x), 1)
		case InInt32s:
			v.Int32s[i] = int32(x)
		case InInt64s:
			v.Int64s[i] = int64(x) << 32
		case InFloats:
			v.Floats[i] = float32(x) / 8
		case InDoubles:
			v.Doubles[i] = float64(x) / 8
		case InFixed:
			w := v.Type.Width()
			copy(v.Fixed[i*w:(i+1)*w], strings.Repeat(fmt.Sprint(x), w))
		case InViews:
			length := r.IntN(30)
			if v.Type.Physical == FixedLenByteArray {
				length = int(v.Type.Length)
			}
			s := []byte(strings.Repeat(fmt.Sprint(x), length))[:length]
			v.Views[i] = bits.Make(s, int32(len(v.Buffers)), int32(len(buffer)))
			buffer = append(buffer, s...)
		}
	}
	if v.Type.Store() == InViews {
		v.AddBuffer(buffer)
	}
}

// random returns a vector of n slots of f, built as a cursor would.
func random(r *rand.Rand, f Field, n int) *Vector {
	v := f.New()
	form := Form(r.IntN(3))
	if form == Constant {
		if n == 0 {
			return v
		}
		one := random(r, f, 1)
		one.Flatten()
		one.Form, one.Len = Constant, n
		return one
	}
	if f.Layout != Leaf {
		v.extendNested(n)
		items := n
		if f.Layout != Struct {
			items = 0
		}
		for i := range n {
			if f.Nullable && r.IntN(3) == 0 {
				v.NeedValidity()
				bits.Clear(v.Validity, i)
			} else if f.Layout != Struct {
				items += r.IntN(4)
			}
			if f.Layout != Struct {
				v.Offsets[i+1] = int32(items)
			}
		}
		for i := range f.Children {
			v.Children[i] = random(r, f.Children[i], items)
		}
		return v
	}
	if form == Dictionary {
		dict := f.New()
		dict.Extend(1 + r.IntN(5))
		setRandom(r, dict, 0, dict.Len)
		v.UseDictionary(dict)
	}
	for v.Len < n { // in pieces, as pages are
		piece := min(1+r.IntN(150), n-v.Len)
		first := v.Extend(piece)
		values := 0
		for i := first; i < v.Len; i++ {
			if f.Nullable && r.IntN(4) == 0 {
				v.NeedValidity()
				bits.Clear(v.Validity, i)
			} else {
				values++
			}
		}
		if v.Form == Dictionary {
			for i := range values {
				v.Codes[first+i] = r.Uint32N(uint32(v.Dict.Len))
			}
		} else {
			setRandom(r, v, first, values)
		}
		v.Spread(first)
	}
	return v
}

func leaf(t Type) Field { return Field{Name: "x", Type: t, Nullable: true} }

func group(layout Layout, children ...Field) Field {
	return Field{Name: "g", Type: Type{Physical: Group}, Layout: layout, Nullable: true, Children: children}
}

func fields() []Field {
	var all []Field
	for _, t := range leafTypes {
		all = append(all, leaf(t))
	}
	n, s := leaf(Type{Physical: Int32}), leaf(Type{Physical: ByteArray})
	return append(all,
		group(Struct), group(Struct, n, s), group(List, n), group(List, group(List, s)), group(Map, n, s), group(Map, s),
		group(List, group(Struct, n, group(List, s))))
}

func check(t *testing.T, what string, v *Vector, want []string) {
	t.Helper()
	if err := v.Validate(); err != nil {
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
			dst := f.New()
			if f.Layout == Leaf && r.IntN(3) == 0 {
				dict := f.New()
				dict.Extend(3)
				setRandom(r, dict, 0, 3)
				dst.UseDictionary(dict)
			}
			var want []string
			for range r.IntN(5) {
				src := random(r, f, r.IntN(200))
				if r.IntN(4) == 0 && src.Form == Dictionary && dst.Len == 0 && f.Layout == Leaf {
					dst.UseDictionary(src.Dict)
				}
				before := slots(src)
				switch r.IntN(2) {
				case 0:
					from := r.IntN(src.Len + 1)
					to := from + r.IntN(src.Len+1-from)
					dst.AppendSlots(src, from, to)
					want = append(want, before[from:to]...)
				case 1:
					n := r.IntN(70)
					dst.AppendNulls(n)
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
	typ := Type{Physical: Int32}
	dict := (&Field{Type: typ}).New()
	dict.Extend(2)
	dict.Int32s[0], dict.Int32s[1] = 5, 6
	var a, b Vector
	for _, v := range []*Vector{&a, &b} {
		v.Reset(typ)
		v.UseDictionary(dict)
		v.Codes[v.Extend(1)] = 0
		v.AppendNulls(1)
		v.Codes[v.Extend(1)] = 1
	}
	a.AppendSlots(&b, 1, 3)
	check(t, "same dictionary", &a, []string{"5", "-", "6", "-", "6"})
	if a.Form != Dictionary || a.Dict != dict {
		t.Error("the dictionary is gone")
	}
	b.Flatten()
	a.AppendSlots(&b, 0, 2)
	check(t, "flat behind dictionary", &a, []string{"5", "-", "6", "-", "6", "5", "-"})
	if a.Form != Flat || dict.Len != 2 || dict.Int32s[1] != 6 {
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
			b := Batch{Fields: []Field{f}, Columns: []*Vector{v}, Len: v.Len}
			if err := b.Validate(); err != nil {
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
			if v.Form != Flat {
				t.Fatal("not flat")
			}
		}
		v := f.Null(70)
		if v.Form != Constant || slot(v, 69) != "-" || v.Nulls() != 70 {
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
			var v Vector
			v.Reset(typ)
			head := r.IntN(130)
			v.Extend(head)
			setRandom(r, &v, 0, head)
			want := slots(&v)
			n := r.IntN(300)
			packed := (&Field{Type: typ}).New()
			packed.Extend(n)
			setRandom(r, packed, 0, n)
			v.AppendSlots(packed, 0, n)
			v.NeedValidity()
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
			v.Spread(head)
			check(t, "spread", &v, want)
		}
	}
}

func TestResetKeepsMemory(t *testing.T) {
	var v Vector
	dirty := func() {
		v.Reset(Type{Physical: Int64})
		v.NeedValidity()
		first := v.Extend(1000)
		bits.ClearRange(v.Validity, 3, 700)
		for i := range v.Int64s {
			v.Int64s[i] = 7
		}
		v.Spread(first)
	}
	dirty()
	if n := testing.AllocsPerRun(10, dirty); n != 0 {
		t.Errorf("%v allocations", n)
	}
	v.Reset(Type{Physical: Int64})
	if v.Len != 0 || v.Nulls() != 0 || v.Validity != nil {
		t.Error("not empty")
	}
	v.AppendNulls(2)
	first := v.Extend(1)
	v.Int64s[first] = 9
	check(t, "reused", &v, []string{"-", "-", "9"})
	v.DropValidity()
	v.NeedValidity()
	if v.Nulls() != 0 {
		t.Error("new validity has NULLs")
	}
}

func TestValidateFindsFaults(t *testing.T) {
	n := leaf(Type{Physical: Int32})
	for what, spoil := range map[string]func(v, list *Vector){
		"short values":       func(v, list *Vector) { v.Int32s = v.Int32s[:3] },
		"short validity":     func(v, list *Vector) { v.Validity = []uint64{} },
		"value in NULL":      func(v, list *Vector) { v.Int32s[2] = 1 },
		"falling offsets":    func(v, list *Vector) { list.Offsets[1] = 5 },
		"offsets beyond":     func(v, list *Vector) { list.Offsets[2] = 5 },
		"offsets from 1":     func(v, list *Vector) { list.Offsets[0] = 1 },
		"NULL list of items": func(v, list *Vector) { list.NeedValidity(); bits.Clear(list.Validity, 0) },
		"missing child":      func(v, list *Vector) { list.Children = nil },
		"layout":             func(v, list *Vector) { v.Layout = Struct },
		"dictionary":         func(v, list *Vector) { v.Form = Dictionary },
		"view before a buffer": func(v, list *Vector) {
			v.Type.Physical, v.Views, v.Buffers = ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, -1)}, [][]byte{make([]byte, 20)}
		},
		"view behind a buffer": func(v, list *Vector) {
			v.Type.Physical, v.Views, v.Buffers = ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, 8)}, [][]byte{make([]byte, 20)}
		},
		"view of no buffer": func(v, list *Vector) {
			v.Type.Physical, v.Views, v.Buffers = ByteArray, []bits.View{3: bits.RefWords(13, 1, 1, 0)}, [][]byte{make([]byte, 20)}
		},
		"view without buffer": func(v, list *Vector) {
			v.Type.Physical, v.Views = ByteArray, []bits.View{3: bits.RefWords(13, 1, 0, 0)}
		},
	} {
		v := n.New()
		v.Extend(4)
		v.NeedValidity()
		copy(v.Int32s, []int32{1, 2, 0, 4})
		bits.Clear(v.Validity, 2)
		f := group(List, n)
		list := f.New()
		list.extendNested(2)
		copy(list.Offsets, []int32{0, 2, 4})
		list.Children[0] = v
		if err := list.Validate(); err != nil {
			t.Fatal(err)
		}
		if spoil(v, list); list.Validate() == nil {
			t.Errorf("%s: not found", what)
		}
	}
}

// plain returns the PLAIN bytes of slot i of a flat leaf.
func plain(v *Vector, i int) []byte {
	switch v.Type.Store() {
	case InBools:
		return []byte{byte(v.Bools[i/64] >> (i % 64) & 1)}
	case InInt32s:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.Int32s[i]))
	case InInt64s:
		return binary.LittleEndian.AppendUint64(nil, uint64(v.Int64s[i]))
	case InFloats:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Floats[i]))
	case InDoubles:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Doubles[i]))
	case InFixed:
		return v.Fixed[i*v.Type.Width():][:v.Type.Width()]
	}
	return v.Views[i].Bytes(v.Buffers)
}
