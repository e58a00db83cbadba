package thrift

// ColumnIndex has an entry for each data page in each of its lists; the
// histograms have one for each page and level. ReadColumnIndex does not check
// the lengths. An absent optional list is empty.
type ColumnIndex struct {
	NullPages            []bool
	MinValues, MaxValues [][]byte // views; empty for null pages
	BoundaryOrder        BoundaryOrder
	NullCounts           []int64 // optional, like all below
	RepetitionHistograms []int64
	DefinitionHistograms []int64
	NaNCounts            []int64
}

// ReadColumnIndex reads the column index at the front of b and returns its length.
// It reuses the memory of x's lists. x's bounds are views of b.
func ReadColumnIndex(b []byte, x *ColumnIndex) (n int, err error) {
	r := reader{b: b}
	*x = ColumnIndex{
		NullPages:            x.NullPages[:0],
		MinValues:            x.MinValues[:0],
		MaxValues:            x.MaxValues[:0],
		NullCounts:           x.NullCounts[:0],
		RepetitionHistograms: x.RepetitionHistograms[:0],
		DefinitionHistograms: x.DefinitionHistograms[:0],
		NaNCounts:            x.NaNCounts[:0],
	}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeList:
			x.NullPages = r.bools(x.NullPages)
		case 2<<4 | typeList:
			x.MinValues = r.binaries(x.MinValues)
		case 3<<4 | typeList:
			x.MaxValues = r.binaries(x.MaxValues)
		case 4<<4 | typeI32:
			x.BoundaryOrder = BoundaryOrder(r.i32())
		case 5<<4 | typeList:
			x.NullCounts = r.i64s(x.NullCounts)
		case 6<<4 | typeList:
			x.RepetitionHistograms = r.i64s(x.RepetitionHistograms)
		case 7<<4 | typeList:
			x.DefinitionHistograms = r.i64s(x.DefinitionHistograms)
		case 8<<4 | typeList:
			x.NaNCounts = r.i64s(x.NaNCounts)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4, "column index", "null_pages min_values max_values boundary_order")
	return r.at, r.err
}

// PageLocation is the place of a data page in the file, and its first row.
type PageLocation struct {
	Offset         int64 // in the file
	FirstRow       int64 // within the row group
	CompressedSize int32 // with the page's header
}

// OffsetIndex locates the data pages of a chunk.
type OffsetIndex struct {
	Pages          []PageLocation
	UnencodedBytes []int64 // of BYTE_ARRAY pages; empty if absent
}

// ReadOffsetIndex reads the offset index at the front of b and returns its length.
// It reuses the memory of x's lists. It does not check offsets, sizes and rows.
func ReadOffsetIndex(b []byte, x *OffsetIndex) (n int, err error) {
	r := reader{b: b}
	*x = OffsetIndex{Pages: x.Pages[:0], UnencodedBytes: x.UnencodedBytes[:0]}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeList:
			x.Pages = r.pageLocations(x.Pages)
		case 2<<4 | typeList:
			x.UnencodedBytes = r.i64s(x.UnencodedBytes)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1, "offset index", "page_locations")
	return r.at, r.err
}

// pageLocation reads a page location with its fields in any order. Unless it
// fails, it sets all fields of p.
func (r *reader) pageLocation(p *PageLocation) {
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI64:
			p.Offset = r.i64()
		case 2<<4 | typeI32:
			p.CompressedSize = r.i32()
		case 3<<4 | typeI64:
			p.FirstRow = r.i64()
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3, "page location", "offset compressed_page_size first_row_index")
}

// BloomFilterHeader is in front of the bits of a Bloom filter. The format defines
// only arm 1 of each union: split blocks, xxHash, no compression.
type BloomFilterHeader struct {
	NumBytes                     int32
	Algorithm, Hash, Compression Arm
}

// ReadBloomFilterHeader reads the header at the front of b and returns its length.
// Errors match ErrShort as those of ReadPageHeader do.
func ReadBloomFilterHeader(b []byte, h *BloomFilterHeader) (n int, err error) {
	r := reader{b: b}
	*h = BloomFilterHeader{}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			h.NumBytes = r.count("numBytes")
		case 2<<4 | typeStruct:
			h.Algorithm = r.plainUnion(1)
		case 3<<4 | typeStruct:
			h.Hash = r.plainUnion(1)
		case 4<<4 | typeStruct:
			h.Compression = r.plainUnion(1)
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4, "Bloom filter header", "numBytes algorithm hash compression")
	return r.at, r.err
}
