// Command example counts orders by city: a pipeline to start from. It reads Parquet files, drops
// rows by a filter, groups the others and writes lines of text.
//
//	go run ./example --input 'orders/*.parquet' --output counts.txt
//
// What never comes here: anything that a first pipeline does not need.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	winnowio "github.com/winnow-scan/winnow/adapters/beam"
	"github.com/winnow-scan/winnow/filter"
)

var (
	input  = flag.String("input", "../../testdata/orders.parquet", "files to read")
	output = flag.String("output", "counts.txt", "file to write")
	before = flag.Int64("before", 2000, "orders with smaller numbers count")
)

// order is what the pipeline needs of a row. Other columns are not read.
type order struct {
	ID       int64 `parquet:"order_id"`
	Customer *struct{ Address *address }
}

type address struct{ City string }

// Workers run the same program, but only what init functions and beam.Init do.
func init() {
	beam.RegisterType(reflect.TypeFor[order]())
	beam.RegisterType(reflect.TypeFor[address]())
	register.Function1x1(cityOf)
	register.Function2x1(lineOf)
}

func cityOf(o order) string { return o.Customer.Address.City }

func lineOf(city string, orders int) string { return fmt.Sprint(city, ",", orders) }

// build makes the pipeline.
func build(s beam.Scope, input, output string, before int64) {
	orders := winnowio.Read[order](s, input, winnowio.Options{
		Filter: filter.And(filter.Col("order_id").Lt(before), filter.Col("customer.address.city").IsNotNull()),
	})
	counts := stats.Count(s, beam.ParDo(s, cityOf, orders))
	textio.Write(s, output, beam.ParDo(s, lineOf, counts))
}

func main() {
	flag.Parse()
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	build(s, *input, *output, *before)
	if err := beamx.Run(context.Background(), p); err != nil {
		log.Fatal(err)
	}
}
