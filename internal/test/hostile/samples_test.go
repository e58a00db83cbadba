package hostile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
)

// A sample is a file that gets mutated.
type sample struct {
	name  string
	bytes []byte
}

// samples returns small files that between them hold every codec, encoding,
// page version and nesting, and the sample files of the project.
func samples(t testing.TB) []sample {
	t.Helper()
	var all []sample
	for name, f := range generated() {
		b, err := f.Write()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, sample{name, b})
	}
	for _, pattern := range []string{"../../../testdata/shapes/*.parquet", "../../../testdata/writers/*.parquet"} {
		paths, _ := filepath.Glob(pattern)
		if len(paths) == 0 {
			t.Fatalf("no files match %s", pattern)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) <= 256<<10 { // larger ones have no other parts, and take longer
				all = append(all, sample{filepath.Base(path), b})
			}
		}
	}
	return all
}

// generated yields its files always in the same order.
//
//every:codec hostile file but LZO (refused)
func generated() func(yield func(string, gen.File) bool) {
	codecs := []gen.Codec{
		gen.Uncompressed, gen.Snappy, gen.Gzip, gen.GzipMembers, gen.Zstd, gen.ZstdNoSize, gen.Brotli,
		gen.LZ4Raw, gen.LZ4Hadoop, gen.LZ4HadoopBlocks, gen.LZ4Bare, gen.LZ4Frame,
	}
	return func(yield func(string, gen.File) bool) {
		for i, codec := range codecs {
			for version := 1; version <= 2; version++ {
				// Without checksums most mutated bodies reach the codecs and what stands behind them.
				crc := []gen.CRC{gen.NoCRC, gen.RightCRC}[(i+version)%2]
				f := gen.File{
					Schema:    sampleSchema(),
					RowGroups: []gen.RowGroup{{Rows: rows(200), Columns: columns(version)}},
					All: gen.Column{
						Codec: codec, PageRows: []int{40, 0, 70}, SizeStats: true, Bloom: 64,
						Shape: gen.Shape{Version: version, CRC: crc, PageStats: gen.MinMax | gen.NullCount},
					},
					KeyValues: map[string]string{"writer": "hostile"},
				}
				if !yield(fmt.Sprintf("codec %d v%d", codec, version), f) {
					return
				}
				if codec != gen.Uncompressed && codec != gen.Snappy {
					continue
				}
				// Behind pages without tags, mutated bytes reach all that decodes.
				for _, e := range []gen.Encryption{{}, {CTR: true}, {CTR: true, PlainFooter: true}} {
					e.Footer = gen.Key{Metadata: "kf", Bytes: footerKey}
					e.Column = func(path string) gen.Key {
						switch len(path) % 3 {
						case 0:
							return gen.Key{Bytes: columnKey}
						case 1:
							return e.Footer
						}
						return gen.Key{}
					}
					encrypted := f
					encrypted.Encryption = &e
					if !yield(fmt.Sprintf("encrypted (CTR %v, plain footer %v) codec %d v%d", e.CTR, e.PlainFooter, codec, version), encrypted) {
						return
					}
				}
			}
		}
	}
}

const (
	footerKey = "0123456789abcdef"
	columnKey = "0123456789abcdef01234567"
)

// withKeys returns the options with the keys of encrypted samples.
func withKeys() scanner.OpenOptions {
	return scanner.OpenOptions{Keys: func(_ context.Context, metadata []byte) ([]byte, error) {
		if string(metadata) == "kf" {
			return []byte(footerKey), nil
		}
		return []byte(columnKey), nil
	}}
}

func sampleSchema() []*gen.Node {
	return []*gen.Node{
		gen.Optional("flag", gen.Boolean),
		gen.Required("small", gen.Int32).As(gen.DateType()),
		gen.Optional("number", gen.Int64).As(gen.TimestampType(gen.Micros, true)),
		gen.Optional("old", gen.Int96),
		gen.Optional("f", gen.Float),
		gen.Optional("d", gen.Double),
		gen.Optional("text", gen.ByteArray).As(gen.StringType()),
		gen.Optional("price", gen.FixedLenByteArray).Len(5).As(gen.DecimalType(9, 2)),
		gen.List("tags", gen.Optional("element", gen.ByteArray).As(gen.StringType())),
		gen.Map("counts", gen.Required("key", gen.ByteArray).As(gen.StringType()), gen.Optional("value", gen.Int32)),
	}
}

// rows has every tenth value NULL, runs, repeats and a few extremes.
func rows(n int) []any {
	var all []any
	for i := range n {
		r := gen.Record{
			"flag":   i%3 == 0,
			"small":  int32(i / 20),
			"number": int64(i) * 1_000_003,
			"old":    [12]byte{byte(i), 8: 0x8c, 9: 0x3d, 10: 0x25},
			"f":      float32(i) / 8,
			"d":      float64(i%7) / 3,
			"text":   fmt.Sprintf("row %d of many, many rows", i/3),
			"price":  string([]byte{0, 0, 0, byte(i / 256), byte(i)}),
			"tags":   []any{"a", nil, fmt.Sprint(i % 5)}[:i%4],
			"counts": []gen.KV{{Key: "k", Value: int32(i)}, {Key: "none"}}[:i%3],
		}
		if i%10 == 0 {
			r = gen.Record{"small": int32(i)}
		}
		all = append(all, r)
	}
	return all
}

// columns gives each leaf of the schema encodings of its own.
//
//every:encoding hostile file
func columns(version int) []gen.Column {
	as := func(encodings ...gen.Encoding) gen.Column {
		var c gen.Column
		for _, e := range encodings {
			c.PageShapes = append(c.PageShapes, gen.Shape{Encoding: e})
		}
		return c
	}
	levels := as(gen.Dictionary, gen.Plain)
	if version == 1 {
		levels.Levels = gen.BitPacked
	}
	return []gen.Column{
		as(gen.RLE, gen.Plain, gen.RLE),
		as(gen.DeltaBinaryPacked, gen.Dictionary, gen.ByteStreamSplit),
		as(gen.DeltaBinaryPacked, gen.ByteStreamSplit, gen.Plain),
		as(gen.Dictionary, gen.PlainDictionary, gen.Plain),
		as(gen.ByteStreamSplit, gen.Dictionary, gen.ALP, gen.Plain),
		as(gen.Dictionary, gen.ALP, gen.ByteStreamSplit),
		as(gen.DeltaByteArray, gen.DeltaLengthByteArray, gen.Dictionary),
		as(gen.DeltaByteArray, gen.ByteStreamSplit, gen.Plain),
		levels,
		as(gen.DeltaLengthByteArray, gen.DeltaByteArray),
		as(gen.Dictionary, gen.DeltaBinaryPacked),
	}
}

// A part is what a case mutates.
type part struct {
	kind     string
	from, to int64
	rowGroup int // with leaf, what to read then; -1 is all
	leaf     int
}
