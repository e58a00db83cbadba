package pageindex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// evens is a file with the even numbers below 2,000 in scattered order, as
// numbers, doubles and text, in Bloom filters of this size.
func evens(bytes int, change func(c *gen.Column)) *gen.File {
	f := &gen.File{
		Schema: []*gen.Node{gen.Required("x", gen.Int64), gen.Optional("f", gen.Double), gen.Optional("s", gen.ByteArray).As(gen.StringType())},
		All:    gen.Column{Bloom: bytes, PageRows: []int{100}},
	}
	if change != nil {
		change(&f.All)
	}
	var rows []any
	for i := range 1000 {
		v := i * 777 % 1000 * 2
		rows = append(rows, gen.Record{"x": v, "f": float64(v), "s": fmt.Sprint(v)})
	}
	f.RowGroups = []gen.RowGroup{{Rows: rows}}
	return f
}

func in(name string, from, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(from+2*i))
	}
	return name + " IN (" + strings.Join(list, ", ") + ")"
}

func TestBloom(t *testing.T) {
	header := func(c string) string { return c + " Bloom filter header" }
	block := func(c string) string { return c + " Bloom filter block" }
	const large = 1 << 14
	for _, test := range []struct {
		bytes int
		where string
		left  int64  // rows
		reads string // after the indexes
	}{
		{large, "x = 501", 0, header("x") + ", " + block("x")},
		{large, "x = 500", 1000, header("x") + ", " + block("x")},
		{large, "x = 5001", 0, ""}, // statistics say that
		{large, "s = '501'", 0, header("s") + ", " + block("s")},
		{large, "f = 501", 0, header("f") + ", " + block("f")},
		{large, "f = 0", 1000, header("f") + ", 2 × " + block("f")}, // of either sign
		{large, "x = 501 OR f = 503", 0, header("x") + ", " + header("f") + ", " + block("x") + ", " + block("f")},
		{large, "x = 501 AND f = 503", 0, header("x") + ", " + header("f") + ", " + block("x") + ", " + block("f")},
		{large, "x = 501 OR f = 502", 1000, header("x") + ", " + header("f") + ", " + block("x") + ", " + block("f")},
		{large, "x <> 501", 1000, ""},
		{large, "x < 501", 1000, ""}, // too many keys
		{large, in("x", 501, 10), 0, header("x") + ", 10 × " + block("x")},
		{large, in("x", 1991, 100), 0, header("x") + ", 4 × " + block("x")}, // the others are beyond the bounds
		{large, in("x", 1, 257), 1000, ""},
		{32, "x = 501", 1000, header("x")}, // full
		{32, "x = 501 OR s = '7'", 1000, header("x") + ", " + header("s")},
	} {
		s := sampleOf(t, evens(test.bytes, nil))
		j := s.judge(t, s.bind(t, test.where), s.group(0), Options{NoIndex: true})
		reads := s.log()
		if j.Rows().Len() != test.left || reads != test.reads {
			t.Errorf("%d bytes, %s: %d rows left, read %s\nwant %d, %s", test.bytes, test.where, j.Rows().Len(), reads, test.left, test.reads)
		}
		if n := j.Pruned(); len(n.Invalid) > 0 || n.Statistics+n.Bloom != 1000-test.left {
			t.Errorf("%s: %+v", test.where, n)
		}
	}
}

// Keys are looked up in rounds, so that one that is there ends it early.
func TestBloomRounds(t *testing.T) {
	for _, test := range []struct {
		keys, there int // the key that is there; -1: none
		rounds      []int
	}{
		{100, -1, []int{16, 64, 20}},
		{100, 0, []int{16}},
		{100, 20, []int{16, 64}},
		{256, -1, []int{16, 64, 175}}, // two are in one block
	} {
		s := sampleOf(t, evens(1<<20, nil))
		where := in("x", 1, test.keys)
		if test.there >= 0 {
			where = strings.Replace(where, fmt.Sprint(1+2*test.there), fmt.Sprint(2*test.there), 1)
		}
		j := newJudge(s.bind(t, where), s.group(0), Options{NoIndex: true})
		var rounds []int
		for {
			needs, err := j.Step()
			if err != nil {
				t.Fatal(err)
			}
			if len(needs) == 0 {
				break
			}
			if needs[0].Part == BloomBlock {
				rounds = append(rounds, len(needs))
			}
			for _, n := range needs {
				j.Supply(n, s.bytes[n.Off:n.Off+n.Len], nil)
			}
		}
		if left := j.Rows().Len() > 0; left != (test.there >= 0) || !slices.Equal(rounds, test.rounds) {
			t.Errorf("%d keys, %d there: looked up %v, want %v; rows are left: %v", test.keys, test.there, rounds, test.rounds, left)
		}
	}
}

// A filter that is not right is not used, and no error.
func TestBloomThatIsWrong(t *testing.T) {
	const (
		size      = 1 << 12
		bytes2048 = "\x15\x80\x20" // the field numBytes
		bytes8192 = "\x15\x80\x80\x01"
	)
	noLength := func(m *wire.ColumnMetaData) { m.BloomFilterLength = nil }
	for _, test := range []struct {
		meta  func(m *wire.ColumnMetaData)
		bytes func(header []byte)
		want  string // what is wrong
		left  int64
	}{
		{nil, nil, "", 0},
		{noLength, nil, "", 0},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterLength = size }, nil, "Bloom filter of 4096 bytes behind a header of 16, of 4096 by its chunk's metadata", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterLength += 32 }, nil, "Bloom filter of 4096 bytes behind a header of 16, of 4144 by its chunk's metadata", 1000},
		{nil, func(h []byte) { copy(h, bytes2048) }, "Bloom filter of 2048 bytes behind a header of 16, of 4112 by its chunk's metadata", 1000},
		{nil, func(h []byte) { copy(h[4:], h[3:]); copy(h, bytes8192) }, "Bloom filter of 8192 bytes behind a header of 17, of 4112 by its chunk's metadata", 1000},
		{noLength, func(h []byte) { copy(h, bytes2048) }, "Bloom filter of 2048 bytes, with room for 4096 before the next part of the file", 1000},
		{noLength, func(h []byte) { copy(h[4:], h[3:]); copy(h, bytes8192) }, "Bloom filter of 8192 bytes, with room for 4095 before the next part of the file", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterLength = 0 }, nil, "Bloom filter header of 0 bytes at offset", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterLength = -1 }, nil, "Bloom filter header of -1 bytes at offset", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterLength = 3 }, nil, "Bloom filter header, byte 3: the bytes end inside a value", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterOffset = 3 }, nil, "Bloom filter header of 64 bytes at offset 3", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterOffset = 1 << 62 }, nil, "Bloom filter header of -", 1000},
		{func(m *wire.ColumnMetaData) { *m.BloomFilterOffset = -1 << 62 }, nil, "Bloom filter header of 64 bytes at offset -", 1000},
		{nil, func(h []byte) { copy(h, "\x15\xc2\x40") }, "Bloom filter of 4129 bytes, not a multiple of 32", 1000},
		{nil, func(h []byte) { copy(h, "\x15\x80\x00") }, "Bloom filter of 0 bytes, not a multiple of 32", 1000},
		{noLength, func(h []byte) { copy(h[4:], h[3:]); copy(h, "\x15\x80\x80\x7f") }, "bytes ends beyond", 1000},
		{nil, func(h []byte) { h[4] = 0x2c }, "a kind of later days", 1000},
		{nil, func(h []byte) { clear(h) }, "Bloom filter header without", 1000},
		{noLength, func(h []byte) { copy(h, "\x98\xff\xff\xff\x7f") }, "the bytes end inside a value", 1000},
	} {
		s := sampleOf(t, evens(size, func(c *gen.Column) {
			c.Meta = func(m *wire.ColumnChunk) {
				if test.meta != nil {
					test.meta(m.MetaData)
				}
			}
		}))
		c, err := s.group(0).Chunk(s.schema.Leaves()[0])
		if err != nil {
			t.Fatal(err)
		}
		if test.bytes != nil {
			test.bytes(s.bytes[c.Footer.Meta.BloomFilterOffset:][:17])
		}
		j := s.judge(t, s.bind(t, "x = 501"), s.group(0), Options{NoIndex: true})
		got := ""
		for _, i := range j.Pruned().Invalid {
			got += i.Err.Error()
		}
		if j.Rows().Len() != test.left || got == "" != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%d rows left, invalid: %s; want %d, %s", j.Rows().Len(), got, test.left, test.want)
		}
	}
}

// The header of a later version may be longer than the first request.
func TestLongBloomHeader(t *testing.T) {
	s := sampleOf(t, evens(1<<12, nil))
	c, err := s.group(0).Chunk(s.schema.Leaves()[0])
	if err != nil {
		t.Fatal(err)
	}
	s.chunk = c.Footer
	m := &s.chunk.Meta
	bitset := s.bytes[m.BloomFilterOffset+16:][:1<<12]
	// Field 8, 100 bytes; field 1, 4096; three unions of an empty struct each.
	header := "\x88\x64" + strings.Repeat("?", 100) + "\x05\x02\x80\x40" + strings.Repeat("\x1c\x1c\x00\x00", 3) + "\x00"
	m.BloomFilterOffset, m.BloomFilterLength = int64(len(s.bytes)), int32(len(header))+1<<12
	s.bytes = append(append(s.bytes, header...), bitset...)
	s.end = int64(len(s.bytes))
	for where, left := range map[string]int64{"x = 501": 0, "x = 500": 1000} {
		s.reads = nil
		j := s.judge(t, s.bind(t, where), s.group(0), Options{NoIndex: true})
		if got, want := s.log(), "2 × x Bloom filter header, x Bloom filter block"; j.Rows().Len() != left || got != want {
			t.Errorf("%s: %d rows left, read %s; want %d, %s", where, j.Rows().Len(), got, left, want)
		}
	}
}

// A failed read fails the step; a need that is not supplied proves nothing.
func TestSupply(t *testing.T) {
	s := sampleOf(t, evens(1<<12, nil))
	p := s.bind(t, "x = 501 OR s = '501'")
	broken := errors.New("the disk is on fire")
	for fail := range 6 {
		for _, err := range []error{broken, nil} {
			j := newJudge(p, s.group(0), Options{})
			asked := 0
			for {
				needs, got := j.Step()
				if got != nil && (got != broken || err == nil || asked <= fail) {
					t.Fatal(got)
				}
				if _, again := j.Step(); got != nil && again != got {
					t.Fatal("the error is gone")
				}
				if len(needs) == 0 {
					if got == nil && err != nil && asked > fail {
						t.Errorf("error of need %d is lost", fail)
					}
					break
				}
				for _, n := range needs {
					switch {
					case asked != fail:
						j.Supply(n, s.bytes[n.Off:n.Off+n.Len], nil)
					case err != nil:
						j.Supply(n, nil, err)
					}
					asked++
				}
			}
			if asked <= fail || err == nil && fail > 3 && j.Rows().Len() != 1000 {
				t.Errorf("need %d of %d: %d rows are left", fail, asked, j.Rows().Len())
			}
		}
	}
	if _, err := newJudge(p, Group{Rows: 1, Wanted: vector.All(1), End: 1, Chunk: func(*schema.Node) (*Chunk, error) { return nil, broken }}, Options{}).Step(); err != broken {
		t.Errorf("error of a chunk: %v", err)
	}
}
