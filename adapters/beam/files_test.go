package winnowio

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func TestMain(m *testing.M) {
	// After Beam's own, which makes a logger for stderr.
	beam.RegisterInit(func() { slog.SetDefault(slog.New(&logged)) })
	ptest.MainWithDefault(m, "prism")
}

// row is a row of the files that tests write.
type row struct {
	ID   int64   `parquet:"id" beam:"id"`
	Part int32   `parquet:"part" beam:"part"`
	Note *string `parquet:"note" beam:"note"`
}

func init() {
	beam.RegisterType(reflect.TypeFor[row]())
	Register("test", memory.store())
	Register("closed", Store{})
	register.Function1x0(collect)
	register.Function2x0(nothing)
	register.Emitter1[int64]()
}

// testFile is a file and the rows that it has.
type testFile struct {
	data []byte
	rows []row
}

// shape is what testFile varies.
type shape struct {
	groups, rows int // how many row groups, of how many rows each at most
	page         int // rows of a page of one column; others have others
	noIndex      bool
	shuffled     bool // the footer lists the row groups in another order than they lie
	repeated     bool // the footer lists the first row group twice
}

// write returns a file with ids from first on. Note is NULL in each third row.
func (s shape) write(t testing.TB, rng *rand.Rand, first int64) testFile {
	t.Helper()
	f := gen.File{Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.Required("part", gen.Int32), gen.Optional("note", gen.ByteArray).As(gen.StringType())}}
	if s.noIndex {
		f.All.Index = gen.NoIndex
	}
	var groups [][]row
	for range s.groups {
		var rows []row
		var records []any
		for range 1 + rng.IntN(s.rows) {
			r := row{ID: first, Part: int32(first % 7)}
			record := gen.Record{"id": r.ID, "part": r.Part, "note": nil}
			if first%3 != 0 {
				note := fmt.Sprint("note ", first)
				r.Note, record["note"] = &note, note
			}
			rows, records = append(rows, r), append(records, record)
			first++
		}
		groups = append(groups, rows)
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: records, Columns: []gen.Column{{PageRows: []int{s.page}}, {PageRows: []int{s.page + 3}}, {PageRows: []int{2*s.page + 1}}}})
	}
	order := make([]int, s.groups)
	for i := range order {
		order[i] = i
	}
	if s.shuffled {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	if s.repeated {
		order = append(order, order[0])
	}
	f.Footer = func(m *wire.FileMetaData) {
		listed := m.RowGroups
		m.RowGroups, m.NumRows = nil, 0
		for _, i := range order {
			m.RowGroups, m.NumRows = append(m.RowGroups, listed[i]), m.NumRows+listed[i].NumRows
		}
	}
	written, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	out := testFile{data: written}
	for _, i := range order {
		out.rows = append(out.rows, groups[i]...)
	}
	return out
}

// store is files in memory, for names with the scheme test. It counts how often each was opened.
type store struct {
	sync.Mutex
	files  map[string][]byte
	opened map[string]int
}

var memory = &store{files: map[string][]byte{}, opened: map[string]int{}}

// put adds a file and returns its name.
func (s *store) put(t testing.TB, name string, data []byte) string {
	name = "test://" + t.Name() + "/" + name
	s.Lock()
	defer s.Unlock()
	s.files[name] = data
	return name
}

func (s *store) store() Store {
	return Store{
		Open: func(_ context.Context, name string) (fetch.Source, error) {
			s.Lock()
			defer s.Unlock()
			data, ok := s.files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			s.opened[name]++
			return fetch.WithTraits(fetch.FromBytes(data), fetch.Traits{Identity: fetch.Identity{Name: name, Size: int64(len(data)), Tag: fmt.Sprintf("%p", data)}}), nil
		},
		List: func(_ context.Context, pattern string) (names []string, err error) {
			s.Lock()
			defer s.Unlock()
			for name := range s.files {
				if ok, err := path.Match(strings.TrimPrefix(pattern, "test://"), strings.TrimPrefix(name, "test://")); err != nil {
					return nil, err
				} else if ok {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return names, nil
		},
	}
}

// emitted is what collect got. Prism's workers are in this process.
var emitted collected

type collected struct {
	sync.Mutex
	texts []string
}

func (c *collected) clear() { c.take() }

// take returns what was collected, and forgets it.
func (c *collected) take() (texts []string) {
	c.Lock()
	defer c.Unlock()
	texts, c.texts = c.texts, nil
	return texts
}

func collect(text string) {
	emitted.Lock()
	defer emitted.Unlock()
	emitted.texts = append(emitted.texts, text)
}

func nothing(int64, func(int64)) {}
