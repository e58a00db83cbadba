package column

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/page"
)

// abuse filters and reads a chunk, whatever is in it. Values may be wrong, but
// nothing may panic, and what is handed out must be sound.
func abuse(r *rand.Rand, s *sample, src Source, raw []byte) error {
	var chunk Chunk
	feed, o := &memory{chunk: raw}, Options{Codes: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		o.ReadAt = feed.readAt
	}
	if err := chunk.Reset(src); err != nil {
		return err
	}
	var cur Cursor
	cur.Open(&chunk, feed, o)
	defer cur.Close()
	q := randomQuestion(r, s)
	size := 1 + r.Int64N(1000)
	for cur.At() < src.Rows {
		to := min(cur.At()+size, src.Rows)
		cur.Window(to)
		n := int(to - cur.At())
		if r.IntN(2) == 0 {
			sel := new(Selection)
			sel.Fill(n)
			if err := cur.Filter(sel, q.test); err != nil {
				return err
			}
		}
		b := batch{at: int(cur.At()), n: n, sel: randomSelection(r, n, false)}
		if err := b.read(s, &cur, r.IntN(2) == 0); err != nil {
			return err
		}
		v := b.flat
		if v == nil {
			v = &b.levels.Values
		}
		if err := validate.Vector(v); err != nil {
			panic(err)
		}
		cur.Advance(to)
	}
	return nil
}

// mutate changes a few bytes.
func mutate(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			break
		}
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		case 2:
			b[i] = byte(r.Uint32())
		case 3:
			copy(b[i:], b[r.IntN(len(b)):])
		}
	}
	return b
}

func TestMutations(t *testing.T) {
	n, failed := dtest.Rounds(t, 400), 0
	var s *sample
	for seed := range uint64(n) {
		if seed%8 == 0 {
			s = must[*sample](t)(randomSample(rand.New(rand.NewPCG(seed/8, 4))))
		}
		src, raw, err := s.file.source(0, 0, seed%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 5))
		src.Unpacker = must[page.Unpacker](t)(page.Options{Codecs: codecs(), IgnoreCRC: true}.Unpacker(s.codec))
		err = abuse(r, s, src, mutate(r, raw))
		var where *Error
		if err != nil && !errors.As(err, &where) {
			t.Errorf("seed %d: an error without a place: %v", seed, err)
		}
		if err != nil {
			failed++
			if !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
				t.Errorf("seed %d: an error of no kind: %v", seed, err)
			}
		}
	}
	if failed < n/10 {
		t.Errorf("only %d of %d changed chunks were refused", failed, n)
	}
}

// FuzzChunk has the fuzzer change the bytes of chunks.
func FuzzChunk(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, []byte{1, 2, 3}, uint16(7))
	}
	f.Fuzz(func(t *testing.T, seed uint64, patch []byte, at uint16) {
		r := rand.New(rand.NewPCG(seed, 4))
		s, err := randomSample(r)
		if err != nil || s.rows() > 1000 {
			return
		}
		src, raw, err := s.file.source(0, 0, seed%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		src.Unpacker = must[page.Unpacker](t)(page.Options{Codecs: codecs(), IgnoreCRC: true}.Unpacker(s.codec))
		raw = append([]byte(nil), raw...)
		if len(raw) > 0 {
			copy(raw[int(at)%len(raw):], patch)
		}
		_ = abuse(r, s, src, raw)
	})
}

// TestMemory reads a large column through small windows: what is alive must be
// a few pages.
func TestMemory(t *testing.T) {
	const rows, perPage = 200_000, 5_000
	values := make([]string, rows)
	for i := range values {
		values[i] = string(make([]byte, 100)) + string(rune('a'+i%26))
	}
	f := gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.ByteArray)},
		RowGroups: []gen.RowGroup{{Columns: []gen.Column{{
			Data: &gen.Data{Values: values}, Codec: gen.Snappy, PageRows: []int{perPage},
		}}}},
	}
	b := must[[]byte](t)(f.Write())
	values = nil
	opened := must[*file](t)(openFile(b))
	src, raw, err := opened.source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	var cur Cursor
	var dst vector.Vector
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	cur.Open(&chunk, &memory{chunk: raw}, Options{})
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most := heap(), uint64(0)
	for i := 0; cur.At() < src.Rows; i++ {
		to := min(cur.At()+1000, src.Rows)
		cur.Window(to)
		build.Reset(&dst, src.Leaf.Type)
		if err := cur.Read(nil, &dst); err != nil {
			t.Fatal(err)
		}
		cur.Advance(to)
		if i%20 == 0 {
			most = max(most, heap())
		}
	}
	const page = perPage * 106
	if most > before+4*page {
		t.Errorf("%d bytes alive, of pages of %d", most-before, page)
	}
}

// TestAllocations wants the second chunk of a shape to allocate nothing, where
// nothing that was handed out points into pages.
func TestAllocations(t *testing.T) {
	for _, shape := range []gen.Shape{
		{Encoding: gen.Plain}, {Encoding: gen.Dictionary}, {Encoding: gen.DeltaBinaryPacked},
		{Encoding: gen.ByteStreamSplit, Version: 2}, {Encoding: gen.Dictionary, Version: 2},
	} {
		for _, node := range []*gen.Node{gen.Required("a", gen.Int64), gen.Optional("a", gen.Int64), gen.List("a", gen.Optional("element", gen.Int64))} {
			schema := []*gen.Node{node}
			g := &rowMaker{r: rand.New(rand.NewPCG(1, 1)), t: gen.Int64, distinct: 30, nulls: 0.1}
			var records []any
			for range 3000 {
				records = append(records, gen.Record{"a": g.node(node)})
			}
			data := must[[]gen.Data](t)(gen.Shred(schema, records))
			f := gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Data: &data[0], Shape: shape, PageRows: []int{700}, Codec: gen.Snappy}}}}}
			opened := must[*file](t)(openFile(must[[]byte](t)(f.Write())))
			src, raw, err := opened.source(0, 0, true)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			var dst vector.Vector
			var levels Levels
			feed := &memory{chunk: raw}
			scan := func() {
				if err := chunk.Reset(src); err != nil {
					t.Fatal(err)
				}
				cur.Open(&chunk, feed, Options{})
				for cur.At() < src.Rows {
					cur.Window(min(cur.At()+500, src.Rows))
					build.Reset(&dst, src.Leaf.Type)
					levels.Reset(src.Leaf.Type)
					if src.repeated() {
						err = cur.ReadLevels(nil, &levels)
					} else {
						err = cur.Read(nil, &dst)
					}
					if err != nil {
						t.Fatal(err)
					}
					cur.Advance(min(cur.At()+500, src.Rows))
				}
			}
			scan()
			scan()
			if n := testing.AllocsPerRun(5, scan); n > 0 {
				t.Errorf("encoding %d version %d, %v: %v allocations", shape.Encoding, shape.Version, node.Repetition, n)
			}
		}
	}
}

// TestParallel reads the parts of one chunk by several cursors at once.
func TestParallel(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 6))
		s := must[*sample](t)(randomSample(r))
		src, raw, err := s.file.source(0, 0, seed%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		var chunk Chunk
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		const parts = 4
		results := make(chan error, parts)
		for part := range int64(parts) {
			go func() {
				var cur Cursor
				cur.Open(&chunk, &memory{chunk: raw, spoil: true}, Options{Codes: part%2 == 0})
				cur.Advance(src.Rows * part / parts)
				cur.Window(src.Rows * (part + 1) / parts)
				b := batch{at: int(cur.At()), n: int(src.Rows*(part+1)/parts - cur.At())}
				err := b.read(s, &cur, part == 0)
				if err == nil {
					err = b.check(s)
				}
				cur.Close()
				results <- err
			}()
		}
		for range parts {
			if err := <-results; err != nil {
				t.Errorf("seed %d: %s: %v", seed, s.what, err)
			}
		}
	}
}

// TestDictionary asks for the dictionary first.
func TestDictionary(t *testing.T) {
	for _, encoding := range []gen.Encoding{gen.Dictionary, gen.Plain} {
		for _, indexed := range []bool{false, true} {
			f := gen.File{
				Schema:    []*gen.Node{gen.Required("a", gen.ByteArray)},
				RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Data: &gen.Data{Values: []string{"x", "y", "x", "a string of some length"}}, Shape: gen.Shape{Encoding: encoding}, PageRows: []int{2}}}}},
			}
			opened := must[*file](t)(openFile(must[[]byte](t)(f.Write())))
			src, raw, err := opened.source(0, 0, indexed)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			cur.Open(&chunk, &memory{chunk: raw, spoil: true}, Options{})
			for range 2 {
				passing, n, err := cur.TestDictionary(pred.Text(pred.Prefix, []byte("a string")), 3)
				if err != nil || (passing != nil) != (encoding == gen.Dictionary) || passing != nil && (n != 3 || passing[0] != 4) {
					t.Error(passing, n, err)
				}
			}
			cur.Window(4)
			var dst vector.Vector
			build.Reset(&dst, src.Leaf.Type)
			if err := cur.Read(nil, &dst); err != nil || string(dst.Bytes(3)) != "a string of some length" {
				t.Error(err)
			}
		}
	}
}
