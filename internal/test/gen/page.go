package gen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// body returns the parts of p's body before compression.
func (c *chunk) body(p *Page) (levels, values []byte, h *wire.PageHeader, err error) {
	rep, def := p.RepBytes, p.DefBytes
	if rep == nil {
		rep = p.levels(p.Rep, c.leaf.MaxRep)
	}
	if def == nil {
		def = p.levels(p.Def, c.leaf.MaxDef)
	}
	if values = p.ValueBytes; values == nil {
		if values, err = c.values(p); err != nil {
			return nil, nil, nil, err
		}
	}
	slots := p.slots()
	h = &wire.PageHeader{}
	if p.Version == 2 {
		if p.Shape.Levels > RLELevels {
			return nil, nil, nil, errors.New("v2 pages have RLE levels")
		}
		nulls := slots - p.present(c.leaf.MaxDef)
		if p.Def == nil {
			nulls = 0
		}
		h.Type = wire.PageType_DATA_PAGE_V2
		h.DataPageHeaderV2 = &wire.DataPageHeaderV2{
			NumValues: int32(slots), NumNulls: int32(nulls), NumRows: int32(p.rows()),
			Encoding:                   p.Encoding.Wire(),
			DefinitionLevelsByteLength: int32(len(def)), RepetitionLevelsByteLength: int32(len(rep)),
			IsCompressed: !p.Uncompressed,
		}
		return append(rep, def...), values, h, nil
	}
	levelEncoding := wire.Encoding_RLE
	if p.Shape.Levels > RLELevels {
		levelEncoding = wire.Encoding_BIT_PACKED
	}
	if c.leaf.MaxRep > 0 {
		levels = p.prefixed(levels, rep)
	}
	if c.leaf.MaxDef > 0 {
		levels = p.prefixed(levels, def)
	}
	h.Type = wire.PageType_DATA_PAGE
	h.DataPageHeader = &wire.DataPageHeader{
		NumValues: int32(slots), Encoding: p.Encoding.Wire(),
		DefinitionLevelEncoding: levelEncoding, RepetitionLevelEncoding: levelEncoding,
	}
	return levels, values, h, nil
}

// prefixed appends the levels of a v1 page; BIT_PACKED ones have no length.
func (p *Page) prefixed(dst, levels []byte) []byte {
	if p.Shape.Levels <= RLELevels {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(levels)))
	}
	return append(dst, levels...)
}

func (p *Page) levels(levels []uint32, most uint32) []byte {
	width := bits.Len32(most)
	switch {
	case most == 0:
		return nil
	case p.Shape.Levels == BitPacked:
		return encode.BitPackedMSB(nil, width, levels)
	case p.Shape.Levels == BitPackedLSB:
		return encode.BitPackedLSB(nil, width, levels)
	}
	return p.Runs.encode(nil, width, levels)
}

// values returns the value part of p.
//
//every:encoding encoder but BIT_PACKED (levels only)
func (c *chunk) values(p *Page) ([]byte, error) {
	switch p.Encoding {
	case Dictionary, PlainDictionary:
		codes := p.Codes
		if codes == nil {
			codes = c.codes(p.Values)
		}
		return p.Runs.encode([]byte{byte(c.indexWidth)}, c.indexWidth, codes), nil
	case RLE:
		bools, ok := p.Values.([]bool)
		if !ok {
			return nil, errors.New("RLE values are booleans")
		}
		bits := make([]uint32, len(bools))
		for i, b := range bools {
			if b {
				bits[i] = 1
			}
		}
		data := p.Runs.encode(nil, 1, bits)
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...), nil
	}
	return encodeValues(&p.Shape, c.leaf, p.Values)
}

//every:encoding encoder
func encodeValues(s *Shape, leaf Leaf, values any) ([]byte, error) {
	e, delta := s.Encoding, s.Delta
	switch e {
	case 0, Plain:
		return plain(leaf.Type, values), nil
	case ByteStreamSplit:
		size := map[Type]int{Int32: 4, Int64: 8, Float: 4, Double: 8, FixedLenByteArray: int(leaf.Length)}[leaf.Type]
		if size == 0 {
			break
		}
		return encode.ByteStreamSplit(nil, plain(leaf.Type, values), size), nil
	}
	switch v := values.(type) {
	case []int32:
		if e == DeltaBinaryPacked {
			return delta.Int32s(nil, v), nil
		}
	case []int64:
		if e == DeltaBinaryPacked {
			return delta.Int64s(nil, v), nil
		}
	case []float32:
		if e == ALP {
			return s.ALP.Float32s(nil, v), nil
		}
	case []float64:
		if e == ALP {
			return s.ALP.Float64s(nil, v), nil
		}
	case []string:
		if e == DeltaLengthByteArray && leaf.Type == ByteArray {
			return delta.LengthByteArrays(nil, byteSlices(v)), nil
		}
		if e == DeltaByteArray {
			return delta.ByteArrays(nil, byteSlices(v)), nil
		}
	}
	return nil, fmt.Errorf("encoding %v does not take %T", e.Wire(), values)
}

// plain returns values in PLAIN.
func plain(t Type, values any) []byte {
	switch v := values.(type) {
	case []bool:
		return encode.Bools(nil, v)
	case []string:
		if t == FixedLenByteArray {
			return encode.FixedLenByteArrays(nil, byteSlices(v))
		}
		return encode.ByteArrays(nil, byteSlices(v))
	case nil:
		return nil
	}
	return encode.Numbers(nil, values)
}

func byteSlices(v []string) [][]byte {
	b := make([][]byte, len(v))
	for i, s := range v {
		b[i] = []byte(s)
	}
	return b
}

// encode appends v as runs of shape r.
func (r Runs) encode(dst []byte, width int, v []uint32) []byte {
	var runs []encode.Run
	same := func(v []uint32) int {
		n := 1
		for n < len(v) && v[n] == v[0] {
			n++
		}
		return n
	}
	switch r {
	case OnlyRLE:
		for len(v) > 0 {
			n := same(v)
			runs = append(runs, encode.Run{Repeat: n, Value: v[0]})
			v = v[n:]
		}
	case OnlyPacked:
		if len(v) > 0 {
			runs = []encode.Run{{Packed: v}}
		}
	case CutRuns:
		if len(v) > 0 {
			whole := (len(v) + 7) / 8 * width
			runs = []encode.Run{{Packed: v, Cut: whole - (len(v)*width+7)/8}}
		}
	case MixedRuns:
		for k := 1; len(v) > 0; k++ {
			n := min(same(v), k)
			runs = append(runs, encode.Run{Repeat: n, Value: v[0]})
			v = v[n:]
			if n = min(len(v), k%4*8); n > 0 {
				runs = append(runs, encode.Run{Packed: v[:n]})
				v = v[n:]
			}
		}
	default:
		return encode.Hybrid(dst, width, v)
	}
	return encode.HybridRuns(dst, width, runs)
}

// seal compresses and checksums a page and appends it to the file. levels
// stay uncompressed in front of values.
func (c *chunk) seal(h *wire.PageHeader, levels, values []byte, p *Page) error {
	if p.Body != nil {
		levels, values = nil, p.Body
	}
	if h.DataPageHeaderV2 == nil {
		levels, values = nil, append(levels, values...)
	}
	size := len(levels) + len(values)
	body := values
	var err error
	if h.DataPageHeaderV2 == nil || h.DataPageHeaderV2.IsCompressed {
		if body, err = c.Codec.compress(values); err != nil {
			return err
		}
	}
	body = append(levels[:len(levels):len(levels)], body...)
	if p.Compressed != nil {
		body = p.Compressed
	}
	ordinal := -1
	head, module := byte(dictionaryHeaderModule), byte(dictionaryPageModule)
	if h.DictionaryPageHeader == nil {
		ordinal, head, module = c.written, dataHeaderModule, dataPageModule
		c.written++
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(size), int32(len(body))
	if body = c.sealer.seal(module, ordinal, body); c.sealer != nil && !c.sealer.AsDuckDB {
		h.CompressedPageSize = int32(len(body))
	}
	switch sum := int32(crc32.ChecksumIEEE(body)); p.CRC {
	case WrongCRC:
		sum ^= 0x5a5a5a5a
		h.Crc = &sum
	case ZeroCRC:
		h.Crc = new(int32)
	case NoCRC:
	default:
		h.Crc = &sum
	}
	if p.Header != nil {
		p.Header(h)
	}
	header, err := Thrift(h)
	if err != nil {
		return err
	}
	header = c.sealer.seal(head, ordinal, header)
	c.write(header, body, size)
	return nil
}

// Wire returns the number of e in files.
//
//every:encoding writer number but BIT_PACKED (levels only)
func (e Encoding) Wire() wire.Encoding {
	switch e {
	case Dictionary:
		return wire.Encoding_RLE_DICTIONARY
	case PlainDictionary:
		return wire.Encoding_PLAIN_DICTIONARY
	case RLE:
		return wire.Encoding_RLE
	case DeltaBinaryPacked:
		return wire.Encoding_DELTA_BINARY_PACKED
	case DeltaLengthByteArray:
		return wire.Encoding_DELTA_LENGTH_BYTE_ARRAY
	case DeltaByteArray:
		return wire.Encoding_DELTA_BYTE_ARRAY
	case ByteStreamSplit:
		return wire.Encoding_BYTE_STREAM_SPLIT
	case ALP:
		return wire.Encoding_ALP
	}
	return wire.Encoding_PLAIN
}
