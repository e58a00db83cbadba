package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// gridOptions are the flags of
//
//	bench grid --pairs 30 --groups 1 li_snappy.parquet …
//
// which asks whether a filter ever costs more than it saves. A cell is a share
// of rows that pass `column <= value`, where the file is sorted by the column or
// scattered, and a number of columns that are returned, that one among them.
// The rival is the scan without a filter.
//
// With --force, the rivals are scans with the filter that are forced to work in
// some way. With --runtime, a scan with a runtime filter that every row passes
// has that without as its rival, and the column of shares tells the filter:
//
//	none       not there: by how much scans seem to differ that are the same
//	nothing    none that was published
//	range      the least and the greatest value, which statistics settle
//	keys       all values, as Keys that a hash join makes
//	in         all values of another column, which has few
type gridOptions struct {
	files   []string
	pairs   int
	groups  int     // row groups of each file; 0: all
	cost    float64 // nanoseconds a row that a filter may cost
	shares  []float64
	counts  []int
	orders  []string
	force   []strategy
	runtime bool
}

// Columns of the files of TPC-H's lineitem, those that are filtered aside.
var gridColumns = []string{
	"l_extendedprice", "l_shipdate", "l_comment", "l_suppkey", "l_linenumber", "l_quantity", "l_discount", "l_tax", "l_returnflag",
	"l_linestatus", "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_orderkey", "l_partkey",
}

var gridOrders = map[string]string{"clustered": "l_orderkey", "scattered": "l_partkey"}

// mostOfNone is what a scan with a runtime filter that every row passes may take of the time of
// one without, mostOfUnfiltered the same of a filter.
const (
	mostOfNone       = 1.02
	mostOfUnfiltered = 1.03
)

func parseGrid(args []string, stderr io.Writer) (o *gridOptions, err error) {
	o = &gridOptions{}
	fs := flag.NewFlagSet("bench grid", flag.ContinueOnError)
	fs.SetOutput(stderr)
	data := fs.String("data", defaultData(), "`folder` of the files")
	fs.IntVar(&o.pairs, "pairs", 30, "`number` of pairs, up to ten times as many where they do not tell")
	fs.IntVar(&o.groups, "groups", 1, "row `groups` of each file that are read; 0 for all")
	fs.Float64Var(&o.cost, "each", 0.5, "`nanoseconds` a row that a filter may cost")
	shares := fs.String("shares", "0.01,0.1,1,10,50,90,99,100", "`percents` of rows that pass")
	counts := fs.String("columns", "1,4,16", "`numbers` of columns that are returned")
	orders := fs.String("orders", "clustered,scattered", "`orders` of what is filtered")
	force := fs.String("force", "", "`strategies` to compare with, or all: "+strategyNames())
	fs.BoolVar(&o.runtime, "runtime", false, "compare runtime filters that every row passes with none")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	for text := range strings.SplitSeq(*shares, ",") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share > 0 && share <= 100) {
			return nil, fmt.Errorf("--shares: %q is no percentage", text)
		}
		o.shares = append(o.shares, share)
	}
	o.orders = strings.Split(*orders, ",")
	for _, order := range o.orders {
		if gridOrders[order] == "" {
			return nil, fmt.Errorf("--orders: no order %q", order)
		}
	}
	if o.counts, err = numbersOf("--columns", *counts, len(gridColumns)); err != nil {
		return nil, err
	}
	if o.force, err = strategiesOf(*force); err != nil {
		return nil, err
	}
	if o.files = fs.Args(); len(o.files) == 0 {
		o.files = []string{"li_snappy.parquet", "li_plain.parquet", "li_v2_delta.parquet"}
	}
	for i, name := range o.files {
		if !strings.ContainsRune(name, filepath.Separator) {
			o.files[i] = filepath.Join(*data, name)
		}
	}
	if o.pairs < 1 || o.groups < 0 || o.runtime && o.force != nil {
		return nil, errors.New("want one of --pairs at least, no fewer than 0 --groups, and not both --force and --runtime")
	}
	return o, nil
}

// run is a command.
func (o *gridOptions) run(ctx context.Context, stdout io.Writer) (ok bool, err error) {
	heading := fmt.Sprintf("%-15s %-9s %8s %8s", "file", "order", "columns", map[bool]string{true: "filter", false: "share %"}[o.runtime])
	return hold(ctx, stdout, heading, o.pairs, o.contests(ctx))
}

// contests returns the cells.
func (o *gridOptions) contests(ctx context.Context) iter.Seq2[*contest, error] {
	return func(yield func(*contest, error) bool) {
		for _, path := range o.files {
			for _, order := range o.orders {
				if !o.ofColumn(ctx, path, order, yield) {
					return
				}
			}
		}
	}
}

func (o *gridOptions) ofColumn(ctx context.Context, path, order string, yield func(*contest, error) bool) (more bool) {
	f, err := scanner.Open(ctx, path)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer f.Close()
	column := gridOrders[order]
	base := scanOptions{Options: scanner.Options{Memory: scanner.NewMemory(poolLimit)}}
	rows := int64(0)
	for i, g := range f.Footer().RowGroups {
		if o.groups == 0 {
			rows += g.NumRows
		} else if i < o.groups {
			base.Rows = append(base.Rows, vector.All(g.NumRows))
			rows += g.NumRows
		}
	}
	values, err := gridValues(ctx, f, column, base)
	if err != nil {
		yield(nil, err)
		return false
	}
	for _, n := range o.counts {
		base.Select = append([]string{column}, slices.DeleteFunc(slices.Clone(gridColumns), func(c string) bool { return c == column })...)[:n]
		for _, cell := range o.cells(column, values) {
			c := &contest{file: f, own: base}
			c.name = fmt.Sprintf("%-15s %-9s %8d %8s", strings.TrimSuffix(filepath.Base(path), ".parquet"), order, n, cell.name)
			switch {
			case o.runtime:
				c.limit = limit{ratio: mostOfNone}
				if cell.name != "none" {
					c.own.Runtime = []*filter.Runtime{new(filter.Runtime)}
					c.own.Runtime[0].Publish(cell.expr)
				}
				c.rivals = []rival{{"no filter", base, 0}}
			case o.force != nil:
				c.limit = limit{ratio: mostOfBest}
				c.own.Filter = cell.expr
				c.rivals = forced(c.own, o.force)
			default:
				c.limit = limit{mostOfUnfiltered, o.cost * float64(rows) / 1e6}
				c.own.Filter = cell.expr
				c.rivals = []rival{{"no filter", base, rows}}
			}
			if !yield(c, nil) {
				return false
			}
		}
	}
	return true
}

// cell is a filter of a grid.
type cell struct {
	name string
	expr *filter.Expr
}

// cells returns the filters of a column with these values, in order.
func (o *gridOptions) cells(column string, values []int64) (cells []cell) {
	col := filter.Col(column)
	if !o.runtime {
		for _, share := range o.shares {
			last := values[min(int(share/100*float64(len(values))), len(values)-1)]
			cells = append(cells, cell{fmt.Sprint(share), col.Le(last)})
		}
		return cells
	}
	values = slices.Compact(slices.Clone(values))
	keys := filter.NewKeys(len(values))
	for _, v := range values {
		keys.AddInt64(v)
	}
	return []cell{
		{"none", nil},
		{"nothing", nil},
		{"range", filter.And(col.Ge(values[0]), col.Le(values[len(values)-1]))},
		{"keys", col.InKeys(keys)},
		{"in", filter.Col("l_linenumber").In(1, 2, 3, 4, 5, 6, 7)},
	}
}

// gridValues returns the values of a column of integers, in order.
func gridValues(ctx context.Context, f *scanner.File, column string, o scanOptions) (values []int64, err error) {
	o.Select = []string{column}
	for b, err := range o.scan(ctx, f) {
		if err != nil {
			return nil, err
		}
		values = append(values, b.Columns[0].Int64s[:b.Len]...)
		b.Release()
	}
	slices.Sort(values)
	if len(values) == 0 {
		err = fmt.Errorf("%s: no rows", f.Name())
	}
	return values, err
}
