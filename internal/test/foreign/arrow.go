package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// writeArrow writes rows of schema, group of them at a time as one row group.
func writeArrow(path string, schema *arrow.Schema, groups []int, row func(b *array.RecordBuilder, i int), options ...parquet.WriterProperty) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	options = append(options, parquet.WithRootName("schema"), parquet.WithPageIndexEnabled(true), parquet.WithCreatedBy("arrow-go 18.8.0"))
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(options...), pqarrow.NewArrowWriterProperties())
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	i := 0
	for _, n := range groups {
		for range n {
			row(b, i)
			i++
		}
		rec := b.NewRecordBatch()
		err := w.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return w.Close()
}

type item struct {
	order, part    int64
	line, quantity int32
	price          float64
	discount       float64
	ship           int32
	flag, mode     string
	comment        string
}

// lineItems is a table of order lines sorted by ship date.
func lineItems(path string) error {
	s := seeded(1)
	var items []item
	for order := int64(1); len(items) < 20_000; order++ {
		start := int32(8035 + s.IntN(2500)) // a day of 1992 to 1998
		for line := range 1 + s.IntN(6) {
			it := item{order: order * 4, line: int32(line + 1), part: int64(1 + s.skewed(2000)), quantity: int32(1 + s.IntN(50))}
			it.price = float64(it.quantity) * float64(90_000+it.part%1000*10) / 100
			it.discount = float64(s.IntN(11)) / 100
			it.ship = start + int32(1+s.IntN(120))
			it.flag = "N"
			if it.ship < 9300 {
				it.flag = s.pick("A R")
			}
			it.mode = s.pick(shipModes)
			if s.IntN(8) > 0 {
				it.comment = s.sentence(adjectives+" "+nouns, 4)
			}
			items = append(items, it)
		}
	}
	items = items[:20_000]
	slices.SortStableFunc(items, func(a, b item) int { return int(a.ship - b.ship) })
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "order_key", Type: arrow.PrimitiveTypes.Int64},
		{Name: "line_number", Type: arrow.PrimitiveTypes.Int32},
		{Name: "part_key", Type: arrow.PrimitiveTypes.Int64},
		{Name: "quantity", Type: arrow.PrimitiveTypes.Int32},
		{Name: "extended_price", Type: &arrow.Decimal128Type{Precision: 15, Scale: 2}},
		{Name: "discount", Type: arrow.PrimitiveTypes.Float64},
		{Name: "ship_date", Type: arrow.FixedWidthTypes.Date32},
		{Name: "return_flag", Type: arrow.BinaryTypes.String},
		{Name: "ship_mode", Type: arrow.BinaryTypes.String},
		{Name: "comment", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	return writeArrow(path, schema, []int{6000, 6000, 6000, 2000}, func(b *array.RecordBuilder, i int) {
		it := items[i]
		b.Field(0).(*array.Int64Builder).Append(it.order)
		b.Field(1).(*array.Int32Builder).Append(it.line)
		b.Field(2).(*array.Int64Builder).Append(it.part)
		b.Field(3).(*array.Int32Builder).Append(it.quantity)
		b.Field(4).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(it.price*100 + 0.5)))
		b.Field(5).(*array.Float64Builder).Append(it.discount)
		b.Field(6).(*array.Date32Builder).Append(arrow.Date32(it.ship))
		b.Field(7).(*array.StringBuilder).Append(it.flag)
		b.Field(8).(*array.StringBuilder).Append(it.mode)
		appendText(b.Field(9), it.comment)
	}, parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDataPageSize(4096), parquet.WithBatchSize(256),
		parquet.WithDictionaryFor("comment", false), parquet.WithDictionaryFor("order_key", false))
}

// appendText appends s, or null for "".
func appendText(b array.Builder, s string) {
	if s == "" {
		b.AppendNull()
		return
	}
	b.(*array.StringBuilder).Append(s)
}

func ordersSchema() *arrow.Schema {
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	item := arrow.StructOf(
		arrow.Field{Name: "sku", Type: text},
		arrow.Field{Name: "quantity", Type: number},
		arrow.Field{Name: "price", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		arrow.Field{Name: "tags", Type: arrow.ListOf(text), Nullable: true})
	address := arrow.StructOf(
		arrow.Field{Name: "city", Type: text},
		arrow.Field{Name: "zip", Type: text, Nullable: true})
	customer := arrow.StructOf(
		arrow.Field{Name: "name", Type: text},
		arrow.Field{Name: "address", Type: address, Nullable: true})
	return arrow.NewSchema([]arrow.Field{
		{Name: "order_id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "placed", Type: arrow.FixedWidthTypes.Timestamp_us},
		{Name: "customer", Type: customer, Nullable: true},
		{Name: "items", Type: arrow.ListOf(item), Nullable: true},
		{Name: "attributes", Type: arrow.MapOf(text, text), Nullable: true},
	}, nil)
}

// orderRows appends nested orders: NULL, empty and full lists and maps.
func orderRows(s source) func(b *array.RecordBuilder, i int) {
	return func(b *array.RecordBuilder, i int) {
		b.Field(0).(*array.Int64Builder).Append(int64(1000 + i))
		b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(1_717_200_000_000_000 + int64(i)*37_000_111))

		customer := b.Field(2).(*array.StructBuilder)
		if s.IntN(7) == 0 {
			customer.AppendNull()
		} else {
			customer.Append(true)
			customer.FieldBuilder(0).(*array.StringBuilder).Append(s.pick(adjectives) + " " + s.pick(nouns))
			address := customer.FieldBuilder(1).(*array.StructBuilder)
			if s.IntN(4) == 0 {
				address.AppendNull()
			} else {
				address.Append(true)
				address.FieldBuilder(0).(*array.StringBuilder).Append(s.pick(cities))
				zip := fmt.Sprintf("%05d", s.IntN(99_999))
				if s.IntN(5) == 0 {
					zip = ""
				}
				appendText(address.FieldBuilder(1), zip)
			}
		}

		items := b.Field(3).(*array.ListBuilder)
		item := items.ValueBuilder().(*array.StructBuilder)
		if s.IntN(9) == 0 {
			items.AppendNull()
		} else {
			items.Append(true)
			for range s.IntN(6) {
				item.Append(true)
				item.FieldBuilder(0).(*array.StringBuilder).Append(fmt.Sprintf("SKU-%04d", s.skewed(800)))
				item.FieldBuilder(1).(*array.Int32Builder).Append(int32(1 + s.IntN(9)))
				price := item.FieldBuilder(2).(*array.Float64Builder)
				if s.IntN(6) == 0 {
					price.AppendNull()
				} else {
					price.Append(float64(s.IntN(50_000)) / 100)
				}
				tags := item.FieldBuilder(3).(*array.ListBuilder)
				if s.IntN(5) == 0 {
					tags.AppendNull()
					continue
				}
				tags.Append(true)
				for range s.IntN(3) {
					tags.ValueBuilder().(*array.StringBuilder).Append(s.pick(colours))
				}
			}
		}

		attributes := b.Field(4).(*array.MapBuilder)
		if s.IntN(6) == 0 {
			attributes.AppendNull()
			return
		}
		attributes.Append(true)
		for k := range s.IntN(4) {
			attributes.KeyBuilder().(*array.StringBuilder).Append([]string{"channel", "coupon", "gift", "note"}[k])
			value := s.sentence(nouns, 2)
			if s.IntN(5) == 0 {
				value = ""
			}
			appendText(attributes.ItemBuilder(), value)
		}
	}
}

func orders(path string) error {
	return writeArrow(path, ordersSchema(), []int{1500, 1500}, orderRows(seeded(3)),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageSize(2048), parquet.WithBatchSize(64))
}

func arrowNested(path string) error {
	return writeArrow(path, ordersSchema(), []int{50, 50}, orderRows(seeded(4)),
		parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Snappy), parquet.WithBatchSize(16), parquet.WithDataPageSize(256))
}

func mixedSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "flag", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "int", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "long", Type: arrow.PrimitiveTypes.Int64},
		{Name: "unsigned", Type: arrow.PrimitiveTypes.Uint32, Nullable: true},
		{Name: "float", Type: arrow.PrimitiveTypes.Float32},
		{Name: "double", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "fixed", Type: &arrow.FixedSizeBinaryType{ByteWidth: 6}},
	}, nil)
}

func mixedRows(s source) func(b *array.RecordBuilder, i int) {
	return func(b *array.RecordBuilder, i int) {
		for k := range b.Fields() {
			if b.Schema().Field(k).Nullable && s.IntN(5) == 0 {
				b.Field(k).AppendNull()
				continue
			}
			switch f := b.Field(k).(type) {
			case *array.BooleanBuilder:
				f.Append(s.IntN(3) == 0)
			case *array.Int32Builder:
				f.Append(int32(s.Uint32()))
			case *array.Int64Builder:
				f.Append(int64(i) * 1_000_003)
			case *array.Uint32Builder:
				f.Append(s.Uint32())
			case *array.Float32Builder:
				f.Append(float32(s.IntN(10_000)) / 8)
			case *array.Float64Builder:
				f.Append(s.NormFloat64())
			case *array.StringBuilder:
				f.Append(s.sentence(nouns, 3))
			case *array.FixedSizeBinaryBuilder:
				f.Append([]byte(fmt.Sprintf("%06d", i/3)))
			}
		}
	}
}

func arrowV1(path string) error {
	return writeArrow(path, mixedSchema(), []int{400, 100}, mixedRows(seeded(5)),
		parquet.WithCompression(compress.Codecs.Gzip), parquet.WithBatchSize(64), parquet.WithDataPageSize(512))
}

func arrowV2(path string) error {
	return writeArrow(path, mixedSchema(), []int{400, 100}, mixedRows(seeded(6)),
		parquet.WithCompression(compress.Codecs.Brotli), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDictionaryDefault(false),
		parquet.WithEncodingFor("int", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("long", parquet.Encodings.DeltaBinaryPacked),
		parquet.WithEncodingFor("text", parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("float", parquet.Encodings.ByteStreamSplit),
		parquet.WithEncodingFor("double", parquet.Encodings.ByteStreamSplit), parquet.WithEncodingFor("flag", parquet.Encodings.RLE),
		parquet.WithBatchSize(64), parquet.WithDataPageSize(512))
}
