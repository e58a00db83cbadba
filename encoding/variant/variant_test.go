package variant

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// spell writes a value as naive.Variant does.
func spell(v *Value, depth int) (string, error) {
	if err := CheckDepth(depth); err != nil {
		return "", err
	}
	switch v.Kind() {
	case String:
		return strconv.Quote(string(v.Bytes())), nil
	case Array, Object:
		var texts []string
		err := v.Each(func(name []byte, field *Value) error {
			text, err := spell(field, depth+1)
			if v.Kind() == Object {
				text = strconv.Quote(string(name)) + ":" + text
			}
			texts = append(texts, text)
			return err
		})
		text := strings.Join(texts, ",")
		if v.Kind() == Object {
			return "{" + text + "}", err
		}
		return "[" + text + "]", err
	}
	return fmt.Sprint(uint8(v.Kind()), ":", hex.EncodeToString(v.Bytes())), nil
}

func parse(metadata, value []byte) (Value, error) {
	m, _, err := ParseMetadata(metadata)
	if err != nil {
		return Value{}, err
	}
	return m.Value(value)
}

func spelled(metadata, value []byte) (string, error) {
	v, err := parse(metadata, value)
	if err != nil {
		return "", err
	}
	return spell(&v, 0)
}

// The input of testdata is metadata, and value behind it, in hex.
func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*", func(t *testing.T, c *dtest.Case) string {
		b := c.Hex(t)
		m, size, err := ParseMetadata(b)
		if err != nil {
			return err.Error()
		}
		v, err := m.Value(b[size:])
		if err != nil {
			return err.Error()
		}
		if c.Cmd == "find" {
			var path []Step
			for _, s := range c.Strings("path") {
				item, err := strconv.Atoi(s)
				path = append(path, Step{s, item, err == nil})
			}
			found, ok, err := v.Find(path...)
			if err != nil {
				return err.Error()
			}
			if !ok {
				return "missing"
			}
			v = found
		}
		text, err := spell(&v, 0)
		if err != nil {
			return err.Error()
		}
		return text
	})
}

// The example of the package's comment, put together and taken apart.
func TestExample(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var shown [2]string
	for line := range strings.Lines(string(comment)) {
		for i, part := range []string{"//\tmetadata  01", "//\tvalue     02"} {
			if strings.HasPrefix(line, part) {
				shown[i] = strings.ReplaceAll(strings.TrimSpace(line[len(part)-2:]), " ", "")
			}
		}
	}
	metadata, _ := hex.DecodeString(shown[0])
	want, _ := hex.DecodeString(shown[1])
	b := AppendPrimitive(nil, Int8, []byte{1})
	items := len(b)
	b = AppendPrimitive(b, String, []byte("x"))
	b = AppendPrimitive(b, Null, nil)
	b = Wrap(b, items, []int{items, items + 2}, nil)
	b = Wrap(b, 0, []int{0, items}, []uint32{0, 1})
	if !bytes.Equal(b, want) {
		t.Errorf("built % x, the comment says % x", b, want)
	}
	text, err := spelled(metadata, want)
	if err != nil || text != `{"a":3:01,"b":["x",0:]}` {
		t.Errorf("the comment's example is %s, %v", text, err)
	}
}

// builder makes random values; names are those of metadata.
type builder struct {
	r     *rand.Rand
	names []string // sorted
	text  string
}

func (b *builder) metadata() []byte {
	ends, text := []uint64{0}, ""
	for _, n := range b.names {
		text += n
		ends = append(ends, uint64(len(text)))
	}
	width := widthOf(uint64(max(len(text), len(b.names)))) + b.r.IntN(2)
	out := appendNumber([]byte{1 | 16 | byte(width-1)<<6}, uint64(len(b.names)), width)
	for _, e := range ends {
		out = appendNumber(out, e, width)
	}
	return append(out, text...)
}

// value appends a random value, and its spelling to b.text.
func (b *builder) value(dst []byte, depth int) []byte {
	kind := Kind(b.r.IntN(int(Object) + 1))
	if depth > 3 {
		kind %= Array
	}
	if kind < Array {
		size := payload[kind]
		if size < 0 {
			size = []int{0, 1, 63, 64, 300}[b.r.IntN(5)]
		}
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(b.r.Uint32())
		}
		switch kind {
		case Decimal4, Decimal8, Decimal16:
			data[0] %= maxScale + 1
		case String:
			b.text += strconv.Quote(string(data))
			return AppendPrimitive(dst, kind, data)
		}
		b.text += fmt.Sprint(uint8(kind), ":", hex.EncodeToString(data))
		return AppendPrimitive(dst, kind, data)
	}
	from, starts, ids := len(dst), []int(nil), []uint32(nil)
	ends := "[]"
	if kind == Object {
		ends, ids = "{}", []uint32{}
	}
	b.text += ends[:1]
	for i := range b.names {
		if i > 5 && depth > 0 && b.r.IntN(300) > 0 || b.r.IntN(4) > 0 {
			continue
		}
		if len(starts) > 0 {
			b.text += ","
		}
		if kind == Object {
			b.text += strconv.Quote(b.names[i]) + ":"
			ids = append(ids, uint32(i))
		}
		starts = append(starts, len(dst))
		dst = b.value(dst, depth+1)
	}
	b.text += ends[1:]
	return Wrap(dst, from, starts, ids)
}

func newBuilder(seed uint64) *builder {
	b := &builder{r: rand.New(rand.NewPCG(seed, 47))}
	for i := range []int{0, 1, 5, 40, 40, 40, 40, 1200}[b.r.IntN(8)] {
		b.names = append(b.names, fmt.Sprintf("n%04d", i))
	}
	return b
}

// What is put together is taken apart again, here and by naive; so are damaged values, or both refuse them.
func TestRandomValues(t *testing.T) {
	for seed := range dtest.Rounds(t, 2000) {
		b := newBuilder(uint64(seed))
		metadata := b.metadata()
		value := b.value(nil, 0)
		if got, err := spelled(metadata, value); got != b.text || err != nil {
			t.Fatalf("seed %d: got %s, %v, want %s", seed, got, err, b.text)
		}
		if v, err := parse(metadata, append(value, 7)); err != nil || !bytes.Equal(v.Encoded(), value) {
			t.Fatalf("seed %d: a value of %d bytes has %d: %v", seed, len(value), len(v.Encoded()), err)
		}
		for range 5 {
			same(t, metadata, dtest.Damaged(b.r, value))
			same(t, dtest.Damaged(b.r, metadata), value)
		}
	}
}

// same compares with naive, and looks for each field along its path.
func same(t *testing.T, metadata, value []byte) {
	t.Helper()
	want, wantErr := naive.Variant(metadata, value)
	got, err := spelled(metadata, value)
	if (err == nil) != (wantErr == nil) || err == nil && got != want {
		t.Fatalf("% x | % x: got %s, %v, want %s, %v", metadata, value, got, err, want, wantErr)
	}
	v, parseErr := parse(metadata, value)
	if names, _, err := OpenMetadata(metadata); err == nil { // it looks at less
		opened, err := names.Value(value)
		if (err == nil) != (parseErr == nil) && (err != nil || wantErr == nil) {
			t.Fatalf("% x | % x: opened %v, parsed %v", metadata, value, err, parseErr)
		}
		for _, name := range []string{"", "n0003", "zz"} {
			opened.Find(Step{Name: name}, Step{Item: 1, IsItem: true})
		}
	}
	if parseErr != nil {
		return
	}
	if _, nativeErr := v.Native(); (nativeErr == nil) != (err == nil) {
		t.Fatalf("% x | % x: as a Go value %v, else %v", metadata, value, nativeErr, err)
	}
	for i := range v.n {
		step := Step{Item: i, IsItem: v.Kind() == Array}
		if v.Kind() == Object {
			name, err := v.Name(i)
			if err != nil {
				continue
			}
			step.Name = string(name)
		}
		direct, directErr := v.At(i)
		found, ok, findErr := v.Find(step)
		if err == nil && (!ok || findErr != nil || directErr != nil || !bytes.Equal(direct.Encoded(), found.Encoded())) {
			t.Fatalf("% x | % x: %v finds %v, %v", metadata, value, step, ok, findErr)
		}
	}
}

func FuzzVariant(f *testing.F) {
	for seed := range uint64(8) {
		b := newBuilder(seed)
		f.Add(b.metadata(), b.value(nil, 2))
	}
	f.Fuzz(func(t *testing.T, metadata, value []byte) { same(t, metadata, value) })
}

// Values that share bytes would have 2^n leaves, and very deep ones would take the stack.
func TestWorkIsBounded(t *testing.T) {
	shared := []byte{0}
	deep := []byte{0}
	for range 40 {
		shared = append([]byte{3, 2, 0, 0, byte(len(shared))}, shared...)
	}
	for range MaxDepth {
		deep = Wrap(deep, 0, []int{0}, nil)
	}
	for text, value := range map[string][]byte{"overlap": shared, "deeper": Wrap(slices.Clone(deep), 0, []int{0}, nil), "": deep} {
		v, err := parse([]byte{1, 0, 0}, value)
		if err == nil {
			_, err = v.Native()
		}
		if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestNative(t *testing.T) {
	if v, err := parse([]byte{1, 0}, []byte{0}); v.Kind() != Null || err != nil {
		t.Errorf("metadata without an offset: %v", err)
	}
	metadata := []byte{1, 1, 0, 1, 'a'}
	for _, c := range []struct {
		hex  string
		want any
	}{
		{"00", nil}, {"04", true}, {"08", false}, {"0cff", int64(-1)}, {"10feff", int64(-2)}, {"14fdffffff", int64(-3)},
		{"18fcffffffffffffff", int64(-4)}, {"1c000000000000f83f", 1.5}, {"380000c03f", float32(1.5)},
		{"2002f4ffffff", big.NewRat(-12, 100)}, {"24010f00000000000000", big.NewRat(3, 2)},
		{"280000000000000000000100000000000000", new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 64))},
		{"2c01000000", time.Unix(86400, 0).UTC()}, {"30ffffffffffffffff", time.UnixMicro(-1).UTC()},
		{"34ffffffffffffffff", time.UnixMicro(-1).UTC()}, {"48ffffffffffffffff", time.Unix(0, -1).UTC()},
		{"4cffffffffffffffff", time.Unix(0, -1).UTC()}, {"440100000000000000", time.Microsecond},
		{"3c0200000001ff", []byte{1, 255}}, {"400100000078", "x"}, {"0578", "x"},
		{"50000102030405060708090a0b0c0d0e0f", [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"0300" + "00", []any{}}, {"0301000100", []any{nil}}, {"02010000020c05", map[string]any{"a": int64(5)}},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parse(metadata, b)
		if err != nil {
			t.Errorf("%s: %v", c.hex, err)
			continue
		}
		got, err := v.Native()
		if r, isRat := c.want.(*big.Rat); isRat && err == nil && r.Cmp(got.(*big.Rat)) == 0 {
			continue
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.hex, got, err, c.want)
		}
	}
}

func BenchmarkNative(b *testing.B) { benchmark(b, func(v *Value) { v.Native() }) }

func BenchmarkFind(b *testing.B) {
	benchmark(b, func(v *Value) { v.Find(Step{Name: "n0007"}, Step{Name: "n0003"}) })
}

func benchmark(b *testing.B, do func(*Value)) {
	made := newBuilder(2)
	made.names = nil
	for i := range 40 {
		made.names = append(made.names, fmt.Sprintf("n%04d", i))
	}
	metadata := made.metadata()
	inner := AppendPrimitive(nil, Int8, []byte{1})
	for range 2 {
		starts, ids, all := []int{}, []uint32{}, []byte(nil)
		for i := range made.names {
			starts, ids = append(starts, len(all)), append(ids, uint32(i))
			all = append(all, inner...)
		}
		inner = Wrap(all, 0, starts, ids)
	}
	b.SetBytes(int64(len(inner)))
	b.ReportAllocs()
	for b.Loop() {
		v, err := parse(metadata, inner)
		if err != nil {
			b.Fatal(err)
		}
		do(&v)
	}
}
