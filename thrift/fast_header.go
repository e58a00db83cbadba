package thrift

import "math"

// fastPageHeader reads a header that is laid out as all known writers do it:
//
//	15 type 15 uncompressed 15 compressed [15 crc] .c part… 00 00
//
// with the fields of each struct in the order of their ids, nothing unknown or
// negative before the statistics, and some bytes of the page after it.
// It returns 0 for any other header, valid or not; h is then undefined. The offset
// in b stays in a register, which makes it twice as fast as a reader, to which it leaves
// statistics only.
func fastPageHeader(b []byte, h *PageHeader) (n int) {
	const least = 128 // more than a header without statistics takes: its fields are all inside b
	if len(b) < least {
		return 0
	}
	var v [6]int32
	i := fastCounts(b, 0, v[:3])
	if i == 0 {
		return 0
	}
	h.Type, h.UncompressedSize, h.CompressedSize = PageType(v[0]), v[1], v[2]
	id := byte(3)
	if b[i] == 1<<4|typeI32 {
		crc, next := shortVarint(b, i+1)
		if crc > math.MaxUint32 || next == i+1 {
			return 0
		}
		h.CRC, h.HasCRC = uint32(zigzag(crc)), true
		i, id = next, 4
	}
	if id += b[i] >> 4; b[i]&0x0f != typeStruct || int32(id) != pageHeaderField(h.Type) {
		return 0
	}
	i++
	h.IsCompressed = true
	statistics := byte(1<<4 | typeStruct)
	switch id {
	case 5:
		if i = fastCounts(b, i, v[:4]); i == 0 {
			return 0
		}
		h.NumValues, h.Encoding = v[0], Encoding(v[1])
		h.DefinitionEncoding, h.RepetitionEncoding = Encoding(v[2]), Encoding(v[3])
	case 7:
		if i = fastCounts(b, i, v[:2]); i == 0 {
			return 0
		}
		h.NumValues, h.Encoding = v[0], Encoding(v[1])
		if k := b[i]; k == 1<<4|typeTrue || k == 1<<4|typeFalse {
			h.IsSorted = flag(int32(k))
			i++
		}
		statistics = typeStop // it has none
	case 8:
		if i = fastCounts(b, i, v[:6]); i == 0 {
			return 0
		}
		h.NumValues, h.NumNulls, h.NumRows, h.Encoding = v[0], v[1], v[2], Encoding(v[3])
		h.DefinitionLength, h.RepetitionLength = v[4], v[5]
		statistics += 1 << 4
		if k := b[i]; k == 1<<4|typeTrue || k == 1<<4|typeFalse {
			h.IsCompressed = k&0x0f == typeTrue
			statistics -= 1 << 4
			i++
		}
	}
	if b[i] == statistics && statistics != typeStop {
		r := reader{b: b, at: i + 1}
		r.statistics(&h.Statistics)
		if r.err != nil {
			return 0
		}
		h.HasStatistics, i = true, r.at
	}
	if i+2 > len(b) || b[i] != typeStop || b[i+1] != typeStop {
		return 0
	}
	return i + 2
}

// fastCounts fills v from fields with consecutive ids, each an i32 that is not
// negative. It returns the offset after them, 0 if the fields are different.
func fastCounts(b []byte, i int, v []int32) (next int) {
	for k := range v {
		if b[i] != 1<<4|typeI32 {
			return 0
		}
		u, next := shortVarint(b, i+1)
		if u > math.MaxUint32 || u&1 != 0 || next == i+1 {
			return 0
		}
		v[k] = int32(u >> 1)
		i = next
	}
	return i
}
