package delta

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// The format's own examples, whose block size of 8 a page must not have.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		body []byte
		want []int64
	}{
		{[]byte{8, 1, 5, 2, 2, 0}, []int64{1, 2, 3, 4, 5}},
		{[]byte{8, 1, 8, 14, 3, 2, 0xc0, 0x3f}, []int64{7, 5, 3, 1, 2, 3, 4, 5}},
	} {
		var d Ints[int64]
		if err := d.Reset(c.body, len(c.want)); !errors.Is(err, corrupt.Bad) {
			t.Errorf("a block of 8 values: %v", err)
		}
		got := make([]int64, len(c.want))
		err := d.reset(c.body, 0, len(c.want), true)
		if err == nil {
			_, err = d.Next(got)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("got %v, %v, want %v", got, err, c.want)
		}
	}

	v := make([]bits.View, 4)
	got := make([]string, 4)
	body := []byte("\x08\x01\x04\x0a\x00\x01\x02HelloWorldFoobarABCDEF")
	var s Strings
	err := s.reset(body, 0, 4, true)
	if err == nil {
		_, err = s.Next(v)
	}
	views([][]byte{body}, v, got)
	if want := []string{"Hello", "World", "Foobar", "ABCDEF"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}

	body = []byte("\x08\x01\x04\x00\x03\x03\x44\x01\x00\x08\x01\x04\x08\x03\x03\x70\x00\x00axislebabbleyhood")
	var p Prefixed
	err = p.reset(body, 4, true)
	if err == nil {
		_, _, err = p.Next(v, nil)
	}
	views(nil, v, got)
	if want := []string{"axis", "axle", "babble", "babyhood"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestErrorsNameTheByte(t *testing.T) {
	for _, c := range []struct {
		body []byte
		want string
	}{
		{[]byte{0x80, 1, 0, 1, 0}, "byte 0: block of 128 values in 0 miniblocks"},
		{[]byte{0x80, 1, 8, 1, 0}, "byte 0: block of 128 values in 8 miniblocks, not of multiples of 128 and 32"},
		{[]byte{0x81, 1, 1, 1, 0}, "byte 0: block of 129 values in 1 miniblocks"},
		{[]byte{0x80, 1, 4, 99, 0}, "byte 0: 99 values in a page of at most 9"},
		{[]byte{0x80, 1, 4, 9}, "byte 4: number ends early"},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 4, 9}, "byte 0: number of more than 64 bits"},
		{[]byte{0x80, 1, 4, 9, 0, 0, 1, 0}, "byte 5: block ends early"},
		{[]byte{0x80, 1, 4, 9, 0, 0, 65, 0, 0, 0}, "byte 10: miniblock of 65 bits a value"},
		{[]byte{0x80, 1, 4, 9, 0, 0, 1, 0, 0, 0, 1, 2, 3}, "byte 10: miniblock of 32 values of 1 bits ends early"},
	} {
		var d Ints[int32]
		err := d.Reset(c.body, 9)
		if err == nil {
			err = d.Skip(9)
		}
		if !errors.Is(err, corrupt.Bad) || err.Error() != c.want {
			t.Errorf("% x: got %v, want %s", c.body, err, c.want)
		}
	}
	var s Strings
	_ = s.Reset(append(encode.Delta{}.Int32s(nil, []int32{1, -1}), 'a'), 2)
	if n, err := s.Next(make([]bits.View, 2)); n != 1 || err == nil || err.Error() != "byte 11: value of -1 bytes" {
		t.Errorf("got %d, %v", n, err)
	}
}

// growing is a page whose values are each the one before and a byte more.
func growing(n int) []byte {
	prefixes, suffixes := make([]int32, n), make([][]byte, n)
	for i := range prefixes {
		prefixes[i], suffixes[i] = int32(i), []byte{'a'}
	}
	return encode.Delta{}.PrefixedByteArrays(nil, prefixes, suffixes)
}

func TestManyLongValues(t *testing.T) {
	const n = 100000 // 5 GB of values in 100 kB
	body := growing(n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := Prefixed{Limit: 1 << 20}
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	dst := make([]bits.View, n)
	got, arena, err := d.Next(dst, nil)
	if err == nil || len(arena) > d.Limit {
		t.Errorf("%d values, %d bytes, %v", got, len(arena), err)
	}
	if err := d.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	if err := d.Skip(n); err != nil || len(d.last) != n {
		t.Errorf("the last value has %d bytes, %v", len(d.last), err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

func TestAllocatesNothing(t *testing.T) {
	const n = 1000
	numbers := encode.Delta{}.Int64s(nil, make([]int64, n))
	text := make([][]byte, n)
	for i := range text {
		text[i] = []byte("0123456789abcdef"[:i%17])
	}
	lengths, prefixes := encode.Delta{}.LengthByteArrays(nil, text), encode.Delta{}.ByteArrays(nil, text)
	var i Ints[int64]
	var s Strings
	var p Prefixed
	var words [n/64 + 1]uint64
	for i := range words {
		words[i] = 0x123456789
	}
	sel := words[:]
	ints, v := make([]int64, n), make([]bits.View, n)
	arena := make([]byte, 0, n*16)
	if allocs := testing.AllocsPerRun(10, func() {
		_, _, _ = i.Reset(numbers, n), s.Reset(lengths, n), p.Reset(prefixes, n)
		i.Next(ints[:100])
		i.Skip(100)
		i.Gather(ints, sel, 150)
		i.Pack(ints, sel, 150)
		i.Range(sel, 300, 1, 2)
		s.Next(v[:100])
		s.Skip(100)
		s.Gather(v, sel, 300)
		s.Pack(v, sel, 300)
		p.Next(v[:100], arena)
		p.Skip(100)
		p.Gather(v, arena, sel, 300)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
