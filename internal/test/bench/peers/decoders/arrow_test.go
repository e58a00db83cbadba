package decoders

import (
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// feeder hands one column reader of arrow-go the pages that it is told to, and
// the dictionary before the first.
type feeder struct {
	file.PageReader // nil: what is not here is not called
	dictionary      file.Page
	pages           []file.Page
	page            int
	current         file.Page
}

func (f *feeder) Next() bool {
	f.current = f.pages[f.page]
	if f.dictionary != nil {
		f.current, f.dictionary = f.dictionary, nil
	}
	return true
}

func (f *feeder) Page() file.Page                                  { return f.current }
func (f *feeder) Err() error                                       { return nil }
func (f *feeder) GetDictionaryPage() (*file.DictionaryPage, error) { return nil, nil }

// arrowColumn is a column of pages of n values. A dictionary is a PLAIN page.
type arrowColumn struct {
	kind       parquet.Type
	length     int // of a FIXED_LEN_BYTE_ARRAY
	n          int
	encoding   parquet.Encoding
	bodies     [][]byte
	dictionary []byte
	entries    int
}

// batchReader is what each typed column reader of arrow-go has.
type batchReader[T any] interface {
	ReadBatch(n int64, values []T, def, rep []int16) (int64, int, error)
}

// arrow returns how arrow-go reads a column to a []T of its own, and as what values show.
// then may use the values.
func arrow[T, V any](c arrowColumn, show func(T) V, then func([]T)) impl {
	return arrowInto(make([]T, c.n), c, show, then)
}

// arrowInto is arrow for values that go to dst.
func arrowInto[T, V any](dst []T, c arrowColumn, show func(T) V, then func([]T)) impl {
	f := &feeder{}
	for _, b := range c.bodies {
		f.pages = append(f.pages, file.NewDataPageV1(memory.NewBufferBytes(b), int32(c.n), c.encoding,
			parquet.Encodings.RLE, parquet.Encodings.RLE, int32(len(b))))
	}
	if c.dictionary != nil {
		f.dictionary = file.NewDictionaryPage(memory.NewBufferBytes(c.dictionary), int32(c.entries), parquet.Encodings.Plain)
	}
	if c.length == 0 {
		c.length = -1
	}
	node := schema.MustPrimitive(schema.NewPrimitiveNode("c", parquet.Repetitions.Required, c.kind, -1, int32(c.length)))
	pool := &sync.Pool{New: func() any { return memory.NewResizableBuffer(memory.DefaultAllocator) }}
	//lint:ignore SA1019 no other way leads past files
	reader := file.NewColumnReader(schema.NewColumn(node, 0, 0), f, memory.DefaultAllocator, pool).(batchReader[T])
	return impl{
		name: "arrow-go",
		decode: func(p int) error {
			f.page = p
			_, got, err := reader.ReadBatch(int64(c.n), dst, nil, nil)
			if err == nil && got != c.n {
				err = fmt.Errorf("%d values of %d", got, c.n)
			}
			then(dst)
			return err
		},
		values: func() any { return mapped(dst, show) },
	}
}

func same[T any](v T) T { return v }

func nothing[T any]([]T) {}
