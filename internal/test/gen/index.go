package gen

import (
	"encoding/binary"
	"errors"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// offsetIndex returns where each data page lies.
func (c *chunk) offsetIndex() (*wire.OffsetIndex, error) {
	x := &wire.OffsetIndex{}
	spans := c.spans
	if c.dictFrom >= 0 {
		spans = spans[1:]
	}
	row := int64(0)
	for i, s := range spans {
		p := &c.Pages[i]
		if len(p.Rep) > 0 && p.Rep[0] != 0 && c.OffsetIndex == nil {
			return nil, errors.New("a page starts in mid-row, which an offset index cannot say: set Index to NoIndex")
		}
		x.PageLocations = append(x.PageLocations, &wire.PageLocation{
			Offset: s.Start, CompressedPageSize: int32(s.End - s.Start), FirstRowIndex: row,
		})
		row += int64(p.rows())
		if c.SizeStats && c.leaf.Type == ByteArray {
			x.UnencodedByteArrayDataBytes = append(x.UnencodedByteArrayDataBytes, byteCount(p.Values))
		}
	}
	if c.OffsetIndex != nil {
		c.OffsetIndex(x)
	}
	return x, nil
}

func (p *Page) rows() int {
	if p.Rep == nil {
		return p.slots()
	}
	return p.Rows()
}

// columnIndex returns the bounds of each data page, or nil where a page has
// values but no bounds: then there can be no column index.
func (c *chunk) columnIndex() *wire.ColumnIndex {
	x := &wire.ColumnIndex{NullPages: []bool{}, MinValues: [][]byte{}, MaxValues: [][]byte{}}
	ascending, descending := true, true
	var last bounds
	floats := c.leaf.Type == Float || c.leaf.Type == Double || c.leaf.Logical.Kind == KindFloat16
	for i := range c.Pages {
		p := &c.Pages[i]
		b := c.leaf.bounds(p.Data)
		isNull := countValues(p.Values) == 0
		if !isNull && b.min == nil {
			return nil
		}
		least, most, _, _ := c.leaf.encoded(b, c.Truncate)
		if isNull {
			least, most = []byte{}, []byte{}
		} else if most == nil {
			most = c.leaf.plainOf(b.max) // no shorter bound exists
		}
		x.NullPages = append(x.NullPages, isNull)
		x.MinValues, x.MaxValues = append(x.MinValues, least), append(x.MaxValues, most)
		if c.Stats&NullCount != 0 {
			x.NullCounts = append(x.NullCounts, b.nulls)
		}
		if c.Stats&NaNCount != 0 && floats {
			x.NanCounts = append(x.NanCounts, b.nans)
		}
		if c.SizeStats {
			x.RepetitionLevelHistograms = append(x.RepetitionLevelHistograms, histogram(p.Rep, c.leaf.MaxRep)...)
			x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, histogram(p.Def, c.leaf.MaxDef)...)
		}
		if isNull {
			continue
		}
		if last.min != nil {
			lo, hi := c.leaf.compare(last.min, b.min), c.leaf.compare(last.max, b.max)
			ascending = ascending && lo <= 0 && hi <= 0
			descending = descending && lo >= 0 && hi >= 0
		}
		last = b
	}
	switch {
	case ascending:
		x.BoundaryOrder = wire.BoundaryOrder_ASCENDING
	case descending:
		x.BoundaryOrder = wire.BoundaryOrder_DESCENDING
	}
	if c.ColumnIndex != nil {
		c.ColumnIndex(x)
	}
	return x
}

// writeBloom appends the chunk's Bloom filter: its header, then blocks of 8
// little-endian words. A value is hashed in PLAIN, byte arrays without length:
//
//	block = (hash >> 32) × blocks >> 32;  in word k of 8, bit (uint32(hash) × salt[k]) >> 27 is set
func (c *chunk) writeBloom() error {
	if c.Bloom == 0 {
		return nil
	}
	if c.Bloom%32 != 0 {
		return errors.New("a Bloom filter has whole blocks of 32 bytes")
	}
	words := make([]uint32, c.Bloom/4)
	for _, hash := range BloomHashes(c.leaf, c.whole().Values) {
		block := hash >> 32 * uint64(len(words)/8) >> 32
		for k, bit := range bloomBits(uint32(hash)) {
			words[8*block+uint64(k)] |= 1 << bit
		}
	}
	header, err := Thrift(&wire.BloomFilterHeader{
		NumBytes:    int32(c.Bloom),
		Algorithm:   &wire.BloomFilterAlgorithm{BLOCK: &wire.SplitBlockAlgorithm{}},
		Hash:        &wire.BloomFilterHash{XXHASH: &wire.XxHash{}},
		Compression: &wire.BloomFilterCompression{UNCOMPRESSED: &wire.Uncompressed{}},
	})
	if err != nil {
		return err
	}
	var bits []byte
	for _, w := range words {
		bits = binary.LittleEndian.AppendUint32(bits, w)
	}
	header, bits = c.sealer.seal(bloomHeaderModule, -1, header), c.sealer.seal(bloomBitsModule, -1, bits)
	at, length := int64(len(*c.out)), int32(len(header)+len(bits))
	*c.out = append(append(*c.out, header...), bits...)
	c.meta.BloomFilterOffset = &at
	if !c.BloomNoLength {
		c.meta.BloomFilterLength = &length
	}
	return nil
}

// BloomHashes returns the hashes under which values stand in a Bloom filter.
func BloomHashes(l Leaf, values any) []uint64 {
	var hashes []uint64
	for i := range countValues(values) {
		one := plain(l.Type, sliceValues(values, i, i+1))
		if l.Type == ByteArray {
			one = one[4:]
		}
		hashes = append(hashes, xxhash.Sum64(one))
	}
	return hashes
}

// bloomBits returns the bit of each word that a hash sets.
func bloomBits(hash uint32) (bit [8]uint32) {
	salts := [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	for k, salt := range salts {
		bit[k] = hash * salt >> 27
	}
	return bit
}
