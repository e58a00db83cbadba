package oracle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A layout is how a column chunk is written.
type layout struct {
	gen.Column
	encoding string // as the table of coverage names it
	version  string
}

func (w *world) write(encryption *rand.Rand) error {
	f := gen.File{Schema: w.schema, NoColumnOrders: w.r.IntN(8) == 0}
	for _, rows := range w.groups {
		data, err := gen.Shred(w.schema, rows)
		if err != nil {
			return err
		}
		rg := gen.RowGroup{}
		var mine []layout
		for i, l := range w.leaves {
			c := randomLayout(w.r, l, w.leafOf[l.Node], len(rows), data[i])
			c.Data = &data[i]
			mine = append(mine, c)
			rg.Columns = append(rg.Columns, c.Column)
		}
		f.RowGroups = append(f.RowGroups, rg)
		w.layouts = append(w.layouts, mine)
	}
	var open scanner.OpenOptions
	f.Encryption, open = w.randomEncryption(encryption)
	w.encryption = f.Encryption
	b, err := f.Write()
	if err != nil {
		return err
	}
	if w.file, err = open.OpenSource(context.Background(), "world", fetch.FromBytes(b)); err != nil {
		return err
	}
	w.memory = &scanner.Resources{Reuse: 1 << 20}
	w.fields, err = w.file.Fields(context.Background(), scanner.Options{})
	return err
}

// encodingNames is what tables of coverage call them.
//
//every:encoding oracle table but BIT_PACKED PLAIN_DICTIONARY (levels only; read as RLE_DICTIONARY)
var encodingNames = map[gen.Encoding]string{
	gen.Plain: "PLAIN", gen.Dictionary: "DICT", gen.RLE: "RLE", gen.DeltaBinaryPacked: "DELTA", gen.DeltaLengthByteArray: "DLBA",
	gen.DeltaByteArray: "DBA", gen.ByteStreamSplit: "BSS", gen.ALP: "ALP",
}

// fallBack is a dictionary that is given up in mid-chunk.
const fallBack = "DICT+PLAIN"

func randomLayout(r *rand.Rand, l gen.Leaf, of *leaf, rows int, data gen.Data) layout {
	c := layout{version: pick(r, "v1", "v2")}
	encodings := gen.EncodingsOf(l.Type)
	if l.Type != gen.Boolean {
		encodings = append(encodings, gen.Dictionary) // alone and with PLAIN behind it
	}
	c.Encoding = pick(r, encodings...)
	c.encoding = encodingNames[c.Encoding]
	c.Version = int(c.version[1] - '0')
	c.Runs = pick(r, gen.CommonRuns, gen.CommonRuns, gen.OnlyRLE, gen.OnlyPacked, gen.MixedRuns, gen.CutRuns)
	c.Codec = pick(r, gen.Uncompressed, gen.Uncompressed, gen.Uncompressed, gen.Snappy, gen.Snappy, gen.Snappy, gen.LZ4Raw)
	if r.IntN(30) == 0 {
		c.Codec = pick(r, gen.Zstd, gen.Gzip, gen.ZstdNoSize)
	}
	c.cutPages(r, l, rows)
	c.shapePages(r, l)
	c.promise(r, l)
	c.lie(r, l, data)
	if of.nulls < 1 && len(of.special) > 0 && c.Encoding == gen.Dictionary && r.IntN(3) == 0 && data.Slots() < 500 {
		c.Dictionary = largerDictionary(r, of, data)
	}
	return c
}

// cutPages makes pages that end elsewhere than those of other columns.
func (c *layout) cutPages(r *rand.Rand, l gen.Leaf, rows int) {
	size := pick(r, 1, 3, 7, 20, 64, 100, 100, 1000, 1<<20)
	size = max(size, rows/pick(r, 20, 40))
	cuts := []int{r.IntN(size) + 1, size + r.IntN(3)}
	if r.IntN(12) == 0 {
		cuts = append([]int{0}, cuts...)
	}
	if r.IntN(12) == 0 {
		cuts = []int{cuts[0], 0, cuts[len(cuts)-1]}
	}
	c.PageRows = cuts
	c.Index = pick(r, gen.FullIndex, gen.FullIndex, gen.FullIndex, gen.OffsetIndex, gen.NoIndex, gen.NoIndex)
	if l.MaxRep > 0 && c.Version == 1 && r.IntN(3) == 0 { // rows that span pages
		c.PageRows, c.PageSlots, c.Index = nil, cuts, gen.NoIndex
	}
}

// shapePages lets some pages differ from the others of the chunk.
func (c *layout) shapePages(r *rand.Rand, l gen.Leaf) {
	if c.Encoding == gen.Dictionary && r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			c.PageShapes = append(c.PageShapes, c.Shape)
		}
		c.Encoding, c.encoding = gen.Plain, fallBack
	} else if r.IntN(10) == 0 {
		for range 1 + r.IntN(3) {
			s := c.Shape
			s.Encoding = pick(r, gen.EncodingsOf(l.Type)...)
			s.Version = 1 + r.IntN(2)
			if c.PageSlots != nil {
				s.Version = 1
			}
			c.PageShapes = append(c.PageShapes, s)
		}
		c.encoding, c.version = "mixed", "mixed"
	}
	if c.version == "v1" && r.IntN(8) == 0 {
		c.Levels = gen.BitPacked
		for i := range c.PageShapes {
			c.PageShapes[i].Levels = gen.BitPacked
		}
	}
	if r.IntN(8) == 0 {
		c.CRC = gen.NoCRC
	}
	c.Uncompressed = r.IntN(6) == 0
	c.OldDictionary = r.IntN(10) == 0
	c.HideDictionary = r.IntN(10) == 0
	if r.IntN(10) == 0 {
		c.IndexWidth = 17 + r.IntN(4)
	}
}

// promise chooses the metadata.
func (c *layout) promise(r *rand.Rand, l gen.Leaf) {
	some := func() gen.Stats {
		s := pick(r, gen.MinMax|gen.NullCount, gen.MinMax|gen.NullCount|gen.Exactness|gen.NaNCount, gen.MinMax|gen.NullCount|gen.NaNCount,
			gen.NoStats, gen.MinMax, gen.NullCount, gen.Deprecated|gen.NullCount, gen.Deprecated|gen.MinMax|gen.NullCount)
		if s != gen.NoStats && r.IntN(8) == 0 {
			s |= gen.Distinct
		}
		if s&gen.MinMax != 0 && (l.Type == gen.Float || l.Type == gen.Double) && r.IntN(2) == 0 { // without, NaN may be among them
			s |= gen.NaNCount
		}
		return s
	}
	c.Stats = some()
	if r.IntN(3) == 0 {
		c.PageStats = some()
		for i := range c.PageShapes {
			c.PageShapes[i].PageStats = c.PageStats
		}
	}
	c.Truncate = pick(r, 0, 0, 0, 1, 3, 8)
	c.SizeStats = r.IntN(4) == 0
	c.NoEncodingStats = r.IntN(8) == 0
	if l.Type != gen.Boolean && r.IntN(3) == 0 {
		c.Bloom = pick(r, 32, 32, 64, 96, 1024)
		c.BloomNoLength = r.IntN(4) == 0
	}
}

// largerDictionary has entries that no row has, in front of the others.
func largerDictionary(r *rand.Rand, of *leaf, data gen.Data) any {
	extra := reflect.MakeSlice(reflect.TypeOf(data.Values), 0, 3)
	for range 1 + r.IntN(3) {
		extra = reflect.Append(extra, reflect.ValueOf(pick(r, of.special...)))
	}
	return reflect.AppendSlice(extra, reflect.ValueOf(data.Values)).Interface()
}

func (c *layout) describe(rows int) string {
	return fmt.Sprintf("%d rows %s %s codec %d pages %v%v index %d stats %#x/%#x truncate %d bloom %d", rows, c.version, c.encoding, c.Codec, c.PageRows, c.PageSlots,
		c.Index, c.Stats, c.PageStats, c.Truncate, c.Bloom)
}
