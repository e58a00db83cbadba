package column

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// dictionaryFile returns a chunk of strings in a dictionary, each of which comes twice.
func dictionaryFile(t *testing.T, codec gen.Codec, texts []string) (Source, []byte) {
	col := gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}, Codec: codec, PageRows: []int{100}, Data: &gen.Data{Values: append(texts, texts...)}}
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{col}}}}
	src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	return src, raw
}

// numbered returns n strings, some of which are inline.
func numbered(front string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		if texts[i] = fmt.Sprintf("%s/%d", front, i); i%5 != 1 {
			texts[i] += strings.Repeat(" long", i%7)
		}
	}
	return texts
}

// TestDictionariesAreReleased reads chunks one after the other whose dictionaries use the same
// memory again: strings of batches that are not released stay, and no memory is made.
func TestDictionariesAreReleased(t *testing.T) {
	for _, codec := range []gen.Codec{gen.Uncompressed, gen.Snappy} {
		r := newReleases(t, codec, Options{})
		if made := testing.AllocsPerRun(10, func() { r.scan(t, 4, nil) }); made > 4*5 { // loans, their places, and the other buffer
			t.Errorf("codec %v: %v allocations for four chunks", codec, made)
		}
		newReleases(t, codec, Options{Codes: true}).scan(t, 4, nil)
		newReleases(t, codec, Options{Codes: true}).scan(t, 40, (*vector.Vector).Flatten)
	}
}

// releases reads four chunks in turns into two batches, so that the next to come is of a third
// chunk.
type releases struct {
	texts   [4][]string
	sources [4]Source
	raws    [4][]byte
	options Options
	out     [2]vector.Vector
	chunk   Chunk
	cur     Cursor
}

func newReleases(t *testing.T, codec gen.Codec, o Options) *releases {
	r := &releases{options: o}
	r.options.Bodies = &Bodies{}
	for i := range r.texts {
		r.texts[i] = numbered(fmt.Sprint("chunk ", i), 3000)
		r.sources[i], r.raws[i] = dictionaryFile(t, codec, r.texts[i])
	}
	r.cur.Open(&r.chunk, nil, r.options)
	r.scan(t, 40, nil)
	return r
}

// scan reads chunks, does something with each batch, and looks at the strings of both batches.
func (r *releases) scan(t *testing.T, chunks int, do func(*vector.Vector)) {
	for i := range chunks {
		r.read(t, i%4, &r.out[i%2])
		if do != nil {
			do(&r.out[i%2])
		}
		for k := range min(i+1, 2) {
			v, want := &r.out[(i-k)%2], r.texts[(i-k)%4]
			values := v
			if v.Form == vector.Dictionary {
				values = v.Dict
			}
			for row := range v.Len {
				at := row
				if values != v {
					at = int(v.Codes[row])
				}
				if got := values.Bytes(at); string(got) != want[row%len(want)] {
					t.Fatalf("chunk %d, row %d: %q", i-k, row, got)
				}
			}
		}
	}
}

// read releases a batch and reads a chunk to it, in two parts that point into the one dictionary.
func (r *releases) read(t *testing.T, i int, dst *vector.Vector) {
	r.cur.Release(dst)
	build.Reset(dst, r.sources[i].Leaf.Type)
	if !r.options.Codes {
		build.AddBuffer(dst, []byte("of another chunk")) // so the dictionary's buffer is not the first
	}
	r.cur.Close()
	if err := r.chunk.Reset(r.sources[i]); err != nil {
		t.Fatal(err)
	}
	r.cur.Open(&r.chunk, &memory{chunk: r.raws[i]}, r.options)
	for _, to := range []int64{3050, 6000} {
		r.cur.Window(to)
		if err := r.cur.Read(nil, dst); err != nil {
			t.Fatal(err)
		}
		r.cur.Advance(to)
	}
}

// TestDictionaryIsTestedInPlace tests the entries as they stand in the page, by tests that have
// a kernel for that and others, also with NOT.
func TestDictionaryIsTestedInPlace(t *testing.T) {
	for _, texts := range [][]string{{""}, {"x", ""}, numbered("a/b", 63), numbered("a/b", 64), numbered("", 200)} {
		src, raw := dictionaryFile(t, gen.Snappy, texts)
		for name, test := range map[string]*pred.Test{
			"equal":    pred.Text(pred.Equal, []byte(texts[len(texts)/2])),
			"prefix":   pred.Text(pred.Prefix, []byte("a/b/1")),
			"suffix":   pred.Text(pred.Suffix, []byte("long")),
			"contains": pred.Text(pred.Contains, []byte("/1")),
			"like":     pred.LikePattern([]byte("%/1%g%"), 0),
			"range":    pred.Strings([]byte("a/b/2"), nil),
			"set":      pred.InStrings([][]byte{[]byte("x"), []byte(texts[0])}),
			"function": pred.By(func(v *vector.Vector, sel []uint64) {
				for i := range v.Len {
					if len(v.Bytes(i))%2 == 0 {
						bits.Clear(sel, i)
					}
				}
			}),
		} {
			for _, negate := range []bool{false, true} {
				test := *test
				test.Negate = negate
				var chunk Chunk
				var cur Cursor
				if err := chunk.Reset(src); err != nil {
					t.Fatal(err)
				}
				cur.Open(&chunk, &memory{chunk: raw}, Options{})
				passing, n, err := cur.TestDictionary(&test, int64(len(texts)))
				if err != nil || n != len(texts) {
					t.Fatal(n, err)
				}
				for i, text := range texts {
					var one vector.Vector
					build.Reset(&one, src.Leaf.Type)
					build.Extend(&one, 1)
					one.Views[0] = bits.Make([]byte(text), build.AddBuffer(&one, []byte(text)), 0)
					want := []uint64{1}
					if test.Filter(want, &one); bits.Get(passing, i) != bits.Get(want, 0) {
						t.Errorf("%s, negated: %v: entry %q: %v", name, negate, text, bits.Get(passing, i))
					}
				}
			}
		}
	}
}

// TestDictionaryIsShared has cursors share a dictionary whose views one makes while the others start pages.
func TestDictionaryIsShared(t *testing.T) {
	texts := numbered("some text", 3000)
	src, raw := dictionaryFile(t, gen.Snappy, texts)
	for round := range 6 {
		var chunk Chunk
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		bodies := &Bodies{}
		var all sync.WaitGroup
		for part := range int64(4) {
			all.Go(func() {
				var cur Cursor
				cur.Open(&chunk, &memory{chunk: raw}, Options{Bodies: bodies, Codes: part == 3 && round%2 == 0})
				defer cur.Close()
				from, to := src.Rows*part/4, src.Rows*(part+1)/4
				cur.Advance(from)
				for cur.At() < to {
					cur.Window(min(cur.At()+100, to))
					n := int(min(cur.At()+100, to) - cur.At())
					var sel Selection
					sel.Fill(n)
					if part%2 == 0 {
						test := pred.Text(pred.Contains, []byte("long"))
						if err := cur.Filter(&sel, test); err != nil {
							t.Error(err)
						}
					}
					var dst vector.Vector
					build.Reset(&dst, src.Leaf.Type)
					if err := cur.Read(&sel, &dst); err != nil {
						t.Error(err)
					}
					for i, row := 0, 0; i < dst.Len; i, row = i+1, row+1 {
						row = bits.Next(sel.Bits, row, n)
						if want := texts[(int(cur.At())+row)%len(texts)]; string(dst.Bytes(i)) != want {
							t.Errorf("row %d: %q", int(cur.At())+row, dst.Bytes(i))
						}
					}
					cur.Release(&dst)
					cur.Advance(cur.At() + int64(n))
				}
			})
		}
		all.Wait()
	}
}
