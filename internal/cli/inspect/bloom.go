package inspect

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func Bloom() *command.Command {
	return &command.Command{
		Name: "bloom", Args: "FILE...",
		Summary: "show the Bloom filters: size and fill, and whether they may hold a value",
		Detail: `
A filter is as full as it should get with half of its bits set; the rate of false
"maybe"s is what to expect of values that were never written.

JSON records, one a filter: file, row_group, column, path, offset, header_size, size, blocks,
fill (0 to 1), false_positive_rate; with --test also test and answer: "no" is certain,
"maybe" is not, "unknown" where the filter must not be asked (NaN, INT96, some decimals).`,
		Examples: []string{
			"bloom weblog.parquet",
			"bloom -c user_id --test 100000 weblog.parquet",
		},
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			fs.Func("test", "ask each filter for this `value`, written as scan shows it", func(s string) error {
				o.Test = &s
				return nil
			})
		},
		Run: command.EachFile(showBloom, nil),
	}
}

// bloomFilter is what is shown of a Bloom filter.
type bloomFilter struct {
	headerSize, size  int
	blocks            uint32
	fill, falseMaybes float64
	answer            string // "" without --test
}

func showBloom(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	t := &table.Table{Columns: []table.Column{
		{Title: "row group", Right: true}, {Title: "#", Right: true}, {Title: "column", MinWidth: 10}, {Title: "type", MinWidth: 8}, {Title: "offset", Right: true},
		{Title: "size", Right: true}, {Title: "blocks", Right: true, Optional: true}, {Title: "fill", Right: true}, {Title: "false maybes", Right: true}, {Title: "answer"},
	}}
	found, hidden := 0, 0
	err := eachChunk(f, o, func(c *scanner.Chunk) error {
		b, err := bloomOf(ctx, f, c, o)
		if b == nil {
			return err
		}
		if found++; o.Limit >= 0 && int64(found) > o.Limit {
			hidden++
			return nil
		}
		if !r.Tables() {
			record := append(place(f, c), "offset", c.Meta.BloomFilterOffset, "header_size", b.headerSize, "size", b.size, "blocks", b.blocks, "fill", b.fill, "false_positive_rate", b.falseMaybes)
			if o.Test != nil {
				record = append(record, "test", *o.Test, "answer", b.answer)
			}
			r.Record(record...)
			return nil
		}
		answer := table.Green.Cell(b.answer)
		if b.answer == "no" {
			answer.Style = table.Red
		}
		t.Add(strconv.Itoa(c.RowGroup), strconv.Itoa(c.Leaf.FirstLeaf), c.Leaf.String(), table.Cyan.Cell(table.TypeName(c.Leaf.Type)), strconv.FormatInt(c.Meta.BloomFilterOffset, 10),
			table.Size(int64(b.size)), table.Number(int64(b.blocks)), percent(b.fill), percent(b.falseMaybes), answer)
		return nil
	}, r)
	if r.Tables() {
		if found > 0 {
			r.Print(t)
			r.NoteHidden("", hidden, "filter")
		} else if err == nil {
			r.Say("no Bloom filters\n")
		}
	}
	return err
}

func bloomOf(ctx context.Context, f *input.File, c *scanner.Chunk, o *command.Options) (*bloomFilter, error) {
	x, err := rawmeta.BloomFilter(ctx, f.File, c)
	if x == nil || err != nil {
		return nil, err
	}
	at := c.Meta.BloomFilterOffset
	if h := x.Header; h.Algorithm != 1 || h.Hash != 1 || h.Compression != 1 {
		return nil, fault.InPage(f.Name(), c, -1, at, corrupt.NotSupported("Bloom filter: an algorithm, hash or compression that is not known here"))
	}
	filter, err := bloom.FromBytes(x.Bits)
	if err != nil {
		return nil, fault.InPage(f.Name(), c, -1, at, corrupt.Within(err, "Bloom filter", x.HeaderSize))
	}
	fill := filter.Fill()
	shown := &bloomFilter{headerSize: x.HeaderSize, size: len(x.Bits), blocks: filter.Blocks(), fill: rounded(fill), falseMaybes: rounded(math.Pow(fill, 8))} // eight bits are asked for
	if o.Test == nil {
		return shown, nil
	}
	plain, err := plainValue(f.Footer().Schema[c.Leaf.Index], *o.Test)
	if err != nil {
		return nil, &fault.UsageError{Command: "bloom", What: "bloom: --test " + strconv.Quote(*o.Test) + ": " + err.Error()}
	}
	shown.answer = ask(filter, c, plain)
	return shown, nil
}

func ask(filter bloom.Filter, c *scanner.Chunk, plain []byte) string {
	hashes, known := bloom.AppendHashes(nil, c.Leaf.Type, plain)
	switch {
	case !known || plain == nil:
		return "unknown"
	case slices.ContainsFunc(hashes, filter.Contains):
		return "maybe"
	}
	return "no"
}

func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 2, 64) + " %" }

// plainValue returns the bytes in PLAIN, without length prefix, of the value that a text in quotes
// stands for where --where compares it with a leaf; nil for NaN, which equals nothing.
func plainValue(element thrift.SchemaElement, text string) ([]byte, error) {
	// The leaf by itself: lists around it and columns of the same name are not in the way.
	element.Repetition = thrift.Required
	alone, err := schema.New([]thrift.SchemaElement{{Name: "schema", NumChildren: 1, HasNumChildren: true}, element})
	if err != nil {
		return nil, err
	}
	t := alone.Leaves()[0].Type
	value, err := constant(t, text)
	if err != nil {
		return nil, err
	}
	program, err := compile.Bind(filter.Col(alone.Leaves()[0].String()).Eq(value), alone, nil)
	if wrong := (*filter.Error)(nil); errors.As(err, &wrong) {
		return nil, errors.New(wrong.Msg)
	}
	switch {
	case err != nil:
		return nil, err
	case strings.EqualFold(text, "NaN") && program.Root.Op == compile.OpFalse:
		return nil, nil
	case program.Root.Op != compile.OpTest:
		return nil, errors.New("not a value of " + t.String())
	}
	keys, _ := program.Root.Test.Keys()
	if len(keys) != 1 {
		return nil, nil
	}
	_, err = vector.PlainOf(t, keys[0]) // of another length, it is none
	return keys[0], err
}

// constant returns what --where compares with values of type t. Bytes may be in hex, as X'…' and 0x….
func constant(t vector.Type, text string) (any, error) {
	digits, isHex := strings.CutPrefix(text, "0x")
	if inside, is := strings.CutPrefix(text, "X'"); is && strings.HasSuffix(inside, "'") {
		digits, isHex = strings.TrimSuffix(inside, "'"), true
	}
	if !isHex || t.Logical == vector.String || t.Physical != vector.ByteArray && t.Physical != vector.FixedLenByteArray {
		return text, nil
	}
	return hex.DecodeString(digits)
}
