package scans

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/scanner"
)

// A Workload is columns of a file to read. A column is the name of a leaf or of
// a list of leaves at the top, or "a.b", the field b of the structs in list a.
type Workload struct {
	File    string // without its extension
	Columns []string
	path    string
	memory  *scanner.Memory
}

func (w *Workload) String() string {
	return "file=" + w.File + "/columns=" + strings.Join(w.Columns, ",")
}

var numbers = []string{"l_orderkey", "l_quantity", "l_extendedprice"}

// Large returns the workloads over the large files in the folder that PEER_DATA
// names, or else where they are made by default. Files that are not there are
// left out.
func Large() []*Workload {
	dir := os.Getenv("PEER_DATA")
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = filepath.Join(home, ".cache", "winnow-peers", "data")
	}
	return present(dir, []*Workload{
		{File: "li_snappy", Columns: numbers},
		{File: "li_sorted_zstd", Columns: numbers},
		{File: "li_plain", Columns: numbers},
		{File: "li_v2_delta", Columns: numbers},
		{File: "li_snappy", Columns: []string{"l_comment"}},
		{File: "li_sorted_zstd", Columns: []string{"l_comment"}},
		{File: "li_plain", Columns: []string{"l_comment"}},
		{File: "li_v2_delta", Columns: []string{"l_comment", "l_shipinstruct"}},
		{File: "nested", Columns: []string{"id", "tags", "items.price"}},
	})
}

// Small returns workloads over the files of dir, the project's testdata.
func Small(dir string) []*Workload {
	return present(dir, []*Workload{
		{File: "lineitems", Columns: []string{"order_key", "quantity", "discount"}},
		{File: "lineitems", Columns: []string{"comment"}},
		{File: "orders", Columns: []string{"order_id", "items.price"}},
	})
}

func present(dir string, all []*Workload) []*Workload {
	memory := scanner.NewMemory(256 << 20)
	for _, w := range all {
		w.memory = memory
	}
	return slices.DeleteFunc(all, func(w *Workload) bool {
		w.path = filepath.Join(dir, w.File+".parquet")
		_, err := os.Stat(w.path)
		return err != nil
	})
}

// A Reader delivers a workload. Sums, if not nil, has an element for each
// column, which it fills in as it goes: that is for Check.
type Reader struct {
	Impl string
	Read func(w *Workload, sums []Sums) (rows int64, err error)
}

// Readers returns those that are compared, winnow first, and last one that
// delivers less.
func Readers() []Reader {
	return []Reader{{"winnow", readWinnow}, {"arrow-go", readArrow}, {"parquet-go", readParquet}, {"parquet-go-pages", readPages}}
}

// Check returns an error unless all readers deliver the same. It returns the
// number of rows.
func Check(w *Workload) (int64, error) {
	var rows int64
	var want []Sums
	for _, r := range Readers() {
		got := make([]Sums, len(w.Columns))
		n, err := r.Read(w, got)
		if err != nil {
			return 0, fmt.Errorf("%s: %s: %w", w, r.Impl, err)
		}
		if want == nil {
			rows, want = n, got
		}
		if n != rows || !slices.Equal(got, want) {
			return 0, fmt.Errorf("%s: %s delivers %d rows %v, winnow %d rows %v", w, r.Impl, n, got, rows, want)
		}
	}
	return rows, nil
}
