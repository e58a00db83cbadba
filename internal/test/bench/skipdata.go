package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// skipVersion is that of the data. A change of what makeSkipData makes needs another one.
const skipVersion = 1

// skipLayouts returns the columns that conditions are on. Each has the numbers from 0 to those of
// rows, in an order of its own, so that k rows pass `column < k`.
func skipLayouts() []string { return []string{"sorted", "clustered", "scattered"} }

// skipOthers returns the names of the other columns: three of each kind.
func skipOthers() (names []string) {
	for i := range 15 {
		names = append(names, fmt.Sprint([]string{"id", "price", "city", "day", "note"}[i%5], 1+i/5))
	}
	return names
}

// skipData returns the path of a file with so many rows in a folder, which is made if it is not there.
func skipData(dir string, rows int, making func(path string)) (path string, err error) {
	path = filepath.Join(dir, fmt.Sprintf("skip-v%d-%d.parquet", skipVersion, rows))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	making(path)
	data, err := makeSkipData(rows)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(path+".making", data, 0o644)
	}
	if err == nil {
		err = os.Rename(path+".making", path) // what has its name is whole
	}
	return path, err
}

// skipShape returns the shape of data: rows of a row group and of a page, and neighbouring rows whose
// numbers follow each other in the clustered column.
func skipShape(rows int) (group, page, cluster int) {
	return max(min(rows/4, 125_000), 1), max(min(rows/100, 5000), 1), max(min(rows/200, 2500), 1)
}

func makeSkipData(rows int) ([]byte, error) {
	r := rand.New(rand.NewPCG(1, skipVersion))
	groupRows, pageRows, cluster := skipShape(rows)
	runs, scattered := r.Perm((rows+cluster-1)/cluster), r.Perm(rows)
	var clustered []int32
	for _, run := range runs {
		for i := run * cluster; i < min((run+1)*cluster, rows); i++ {
			clustered = append(clustered, int32(i))
		}
	}
	words := strings.Fields("amber brisk cedar delta ember fjord grove harbour inlet jetty kiosk lantern meadow north orchard pier")
	f := gen.File{All: gen.Column{Codec: gen.Snappy, PageRows: []int{pageRows}}}
	for at := 0; at < rows; at += groupRows {
		n := min(groupRows, rows-at)
		f.Schema = nil
		var g gen.RowGroup
		add := func(node *gen.Node, e gen.Encoding, values any) {
			f.Schema = append(f.Schema, node)
			g.Columns = append(g.Columns, gen.Column{Shape: gen.Shape{Encoding: e}, Data: &gen.Data{Values: values}})
		}
		add(gen.Required("sorted", gen.Int32), gen.Plain, fill(n, func(i int) int32 { return int32(at + i) }))
		add(gen.Required("clustered", gen.Int32), gen.Plain, clustered[at:at+n])
		add(gen.Required("scattered", gen.Int32), gen.Plain, fill(n, func(i int) int32 { return int32(scattered[at+i]) }))
		for i, name := range skipOthers() {
			switch i % 5 {
			case 0:
				add(gen.Required(name, gen.Int64), gen.Plain, fill(n, func(i int) int64 { return int64(at+i)<<10 + r.Int64N(1<<10) }))
			case 1:
				add(gen.Required(name, gen.Double), gen.Plain, fill(n, func(int) float64 { return float64(r.IntN(100_000)) / 100 }))
			case 2:
				add(gen.Required(name, gen.ByteArray).As(gen.StringType()), gen.Dictionary, fill(n, func(int) string { return words[r.IntN(16)] + " " + words[r.IntN(8)] }))
			case 3:
				add(gen.Required(name, gen.Int32).As(gen.DateType()), gen.Dictionary, fill(n, func(int) int32 { return 19_000 + r.Int32N(1000) }))
			case 4:
				add(gen.Required(name, gen.ByteArray).As(gen.StringType()), gen.Plain, fill(n, func(int) string { return fmt.Sprint(words[r.IntN(16)], " ", words[r.IntN(16)], r.IntN(1000)) }))
			}
		}
		f.RowGroups = append(f.RowGroups, g)
	}
	return f.Write()
}

func fill[T any](n int, value func(i int) T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = value(i)
	}
	return values
}
