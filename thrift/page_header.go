package thrift

// PageHeader is the header of any page. Type, sizes and CRC are for all pages; of
// the other fields, those that the page's type does not have are zero.
type PageHeader struct {
	Type             PageType
	UncompressedSize int32 // of the body; no size or count is negative
	CompressedSize   int32
	HasCRC           bool
	CRC              uint32

	NumValues          int32 // with nulls
	Encoding           Encoding
	DefinitionEncoding Encoding // v1
	RepetitionEncoding Encoding // v1
	NumNulls           int32    // v2
	NumRows            int32    // v2
	DefinitionLength   int32    // v2, bytes
	RepetitionLength   int32    // v2, bytes
	IsCompressed       bool     // v2; true for the others
	IsSorted           Flag     // dictionary
	HasStatistics      bool
	Statistics         Statistics
}

// ReadPageHeader reads the header at the front of b and returns its length. An
// error matches ErrShort if b ends inside the header. A bad header may claim any
// length, so the caller must limit how many bytes it reads for it. h is overwritten,
// also with an error; its statistics are views of b.
func ReadPageHeader(b []byte, h *PageHeader) (n int, err error) {
	*h = PageHeader{}
	if n := fastPageHeader(b, h); n > 0 {
		return n, nil
	}
	return readPageHeader(b, h)
}

// readPageHeader reads any header, with its fields in any order.
func readPageHeader(b []byte, h *PageHeader) (n int, err error) {
	r := reader{b: b}
	*h = PageHeader{}
	var seen uint32
	var parts [4]PageHeader // what the structs in fields 5 to 8 have
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			h.Type = PageType(r.i32())
		case 2<<4 | typeI32:
			h.UncompressedSize = r.count("uncompressed_page_size")
		case 3<<4 | typeI32:
			h.CompressedSize = r.count("compressed_page_size")
		case 4<<4 | typeI32:
			h.CRC, h.HasCRC = uint32(r.i32()), true
		case 5<<4 | typeStruct, 7<<4 | typeStruct, 8<<4 | typeStruct:
			part := &parts[k>>4-5]
			*part = PageHeader{}
			r.pageHeaderPart(k>>4, part)
		case 6<<4 | typeStruct:
			r.empty()
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3, "page header", "type uncompressed_page_size compressed_page_size")
	part, needed := PageHeader{}, pageHeaderField(h.Type)
	if needed != 0 {
		if seen&(1<<needed) == 0 && r.err == nil {
			r.fail(r.at, "page of type ", int64(h.Type), " without the header of its type")
		}
		part = parts[needed-5]
	}
	part.Type, part.UncompressedSize, part.CompressedSize = h.Type, h.UncompressedSize, h.CompressedSize
	part.HasCRC, part.CRC = h.HasCRC, h.CRC
	part.IsCompressed = part.IsCompressed || needed != 8
	*h = part
	return r.at, r.err
}

// pageHeaderField returns the id of the field that a page of type t needs; 0 if
// it needs none.
func pageHeaderField(t PageType) int32 {
	switch t {
	case DataPage:
		return 5
	case DictionaryPage:
		return 7
	case DataPageV2:
		return 8
	}
	return 0
}

// pageHeaderPart reads the struct in the header's field: the part of one page type.
func (r *reader) pageHeaderPart(field int32, h *PageHeader) {
	switch field {
	case 5:
		r.dataPageHeader(h)
	case 7:
		r.dictionaryPageHeader(h)
	case 8:
		r.dataPageHeaderV2(h)
	}
}

func (r *reader) dataPageHeader(h *PageHeader) {
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			h.NumValues = r.count("num_values")
		case 2<<4 | typeI32:
			h.Encoding = Encoding(r.i32())
		case 3<<4 | typeI32:
			h.DefinitionEncoding = Encoding(r.i32())
		case 4<<4 | typeI32:
			h.RepetitionEncoding = Encoding(r.i32())
		case 5<<4 | typeStruct:
			r.optionalStatistics(&h.Statistics, &h.HasStatistics)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4, "data page header",
		"num_values encoding definition_level_encoding repetition_level_encoding")
}

func (r *reader) dictionaryPageHeader(h *PageHeader) {
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			h.NumValues = r.count("num_values")
		case 2<<4 | typeI32:
			h.Encoding = Encoding(r.i32())
		case 3<<4 | typeTrue, 3<<4 | typeFalse:
			h.IsSorted = flag(k)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2, "dictionary page header", "num_values encoding")
}

func (r *reader) dataPageHeaderV2(h *PageHeader) {
	h.IsCompressed = true
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			h.NumValues = r.count("num_values")
		case 2<<4 | typeI32:
			h.NumNulls = r.count("num_nulls")
		case 3<<4 | typeI32:
			h.NumRows = r.count("num_rows")
		case 4<<4 | typeI32:
			h.Encoding = Encoding(r.i32())
		case 5<<4 | typeI32:
			h.DefinitionLength = r.count("definition_levels_byte_length")
		case 6<<4 | typeI32:
			h.RepetitionLength = r.count("repetition_levels_byte_length")
		case 7<<4 | typeTrue, 7<<4 | typeFalse:
			h.IsCompressed = flag(k) == True
		case 8<<4 | typeStruct:
			r.optionalStatistics(&h.Statistics, &h.HasStatistics)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4|1<<5|1<<6, "data page header v2",
		"num_values num_nulls num_rows encoding definition_levels_byte_length repetition_levels_byte_length")
}
