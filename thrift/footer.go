package thrift

import (
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Footer is the metadata of a file, decoded as far as every scan needs it. Chunk
// decodes a column chunk when it is called: the Footer stores only where each
// starts. All text is a view of the parsed bytes.
type Footer struct {
	Version       int32
	NumRows       int64 // as the file says; readers add up the row groups' numbers instead
	Schema        []SchemaElement
	RowGroups     []RowGroup
	KeyValues     KeyValues
	CreatedBy     string
	ColumnOrders  []Arm // of each leaf: OrderOfType …; empty if absent
	Encryption    Arm   // 0 if no column is encrypted, 1 AES_GCM_V1, 2 AES_GCM_CTR_V1
	AAD           AAD   // of Encryption
	SigningKey    []byte
	HasSigningKey bool
	Size          int // length of the metadata

	b      []byte
	chunks []uint32 // where each chunk's struct starts, row group by row group
}

// The arms of ColumnOrder.
const (
	OrderOfType     Arm = 1 // the order of the logical or physical type
	OrderIEEE754    Arm = 2 // total order of floats
	OrderInt96Stamp Arm = 3 // chronological
)

// RowGroup is the footer's entry of a row group, without its chunks.
type RowGroup struct {
	NumRows                int64
	TotalByteSize          int64
	FileOffset             int64
	TotalCompressedSize    int64
	Sorting                []SortingColumn // empty if absent
	NumColumns             int
	Ordinal                int16
	HasFileOffset          bool
	HasTotalCompressedSize bool
	HasOrdinal             bool

	first int // its first chunk in Footer.chunks
}

// SortingColumn is a column that rows are sorted by.
type SortingColumn struct {
	Column                 int32 // the ordinal of the leaf
	Descending, NullsFirst bool
}

// AAD is what is authenticated with each encrypted or signed module of a file (additional
// authenticated data): Prefix, FileUnique, and the place of the module.
type AAD struct {
	Prefix, FileUnique []byte
	SupplyPrefix       bool // the file does not have the prefix: a reader must know it
}

// typicalSize is the least size of a schema element, row group or chunk in files
// of known writers. It bounds the capacity that a list is allocated with; a list
// of smaller elements grows as they are read.
const typicalSize = 8

// ParseFooter reads the metadata at the front of b. The Footer keeps views of b,
// which must not change while it, its texts or its chunks are used.
func ParseFooter(b []byte) (*Footer, error) { return ParseFooterUpTo(b, math.MaxInt) }

// ParseFooterUpTo is ParseFooter for schemas of at most maxColumns columns, those that others
// lie within included. A larger schema is not supported, and takes no memory.
func ParseFooterUpTo(b []byte, maxColumns int) (*Footer, error) {
	if uint64(len(b)) > math.MaxUint32 {
		return nil, corrupt.At(-1, "footer of ", int64(len(b)), " bytes")
	}
	f := &Footer{b: b}
	r := reader{b: b}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeI32:
			f.Version = r.i32()
		case 2<<4 | typeList:
			f.readSchema(&r, maxColumns)
		case 3<<4 | typeI64:
			f.NumRows = r.i64()
		case 4<<4 | typeList:
			f.readRowGroups(&r)
		case 5<<4 | typeList:
			f.KeyValues = r.keyValues(k)
		case 6<<4 | typeBinary:
			f.CreatedBy = r.text()
		case 7<<4 | typeList:
			f.readColumnOrders(&r)
		case 8<<4 | typeStruct:
			f.Encryption, f.AAD = r.encryption()
		case 9<<4 | typeBinary:
			f.SigningKey, f.HasSigningKey = r.binary(), true
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3|1<<4, "file metadata", "version schema num_rows row_groups")
	if r.err != nil {
		return nil, r.err
	}
	f.Size = r.at
	return f, nil
}

// capacity returns the initial capacity for a list that claims n elements.
func (r *reader) capacity(n int) int { return min(n, (len(r.b)-r.at)/typicalSize+1) }

func (f *Footer) readSchema(r *reader, maxColumns int) {
	n := r.list(typeStruct, 3)
	if n-1 > maxColumns { // the first element is the root
		r.stop(corrupt.NotSupported("schema of ", n-1, " columns, more than the limit of ", maxColumns))
		return
	}
	f.Schema = make([]SchemaElement, 0, r.capacity(n))
	for ; n > 0 && r.err == nil; n-- {
		f.Schema = append(f.Schema, SchemaElement{})
		r.schemaElement(&f.Schema[len(f.Schema)-1])
	}
}

func (f *Footer) readColumnOrders(r *reader) {
	n := r.list(typeStruct, 1)
	f.ColumnOrders = make([]Arm, 0, n) // list has checked that n bytes are left: two bytes of memory for each
	for ; n > 0 && r.err == nil; n-- {
		f.ColumnOrders = append(f.ColumnOrders, r.plainUnion(3))
	}
}

func (f *Footer) readRowGroups(r *reader) {
	n := r.list(typeStruct, 7)
	f.RowGroups = make([]RowGroup, 0, r.capacity(n))
	var chunks shapes
	for ; n > 0 && r.err == nil; n-- {
		f.RowGroups = append(f.RowGroups, RowGroup{})
		f.readRowGroup(r, &f.RowGroups[len(f.RowGroups)-1], n, &chunks)
	}
}

// readRowGroup reads the first of the last n row groups.
func (f *Footer) readRowGroup(r *reader, g *RowGroup, n int, chunks *shapes) {
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeList:
			f.findChunks(r, g, n, chunks)
		case 2<<4 | typeI64:
			g.TotalByteSize = r.i64()
		case 3<<4 | typeI64:
			g.NumRows = r.i64()
		case 4<<4 | typeList:
			g.Sorting = r.sortingColumns()
		case 5<<4 | typeI64:
			g.FileOffset, g.HasFileOffset = r.i64(), true
		case 6<<4 | typeI64:
			g.TotalCompressedSize, g.HasTotalCompressedSize = r.i64(), true
		case 7<<4 | typeI16:
			g.Ordinal, g.HasOrdinal = r.i16(), true
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1|1<<2|1<<3, "row group", "columns total_byte_size num_rows")
}

// findChunks stores where the chunks of a row group start, and skips them. groups is
// the number of row groups from this one on.
func (f *Footer) findChunks(r *reader, g *RowGroup, groups int, known *shapes) {
	n := r.list(typeStruct, 3)
	g.first, g.NumColumns = len(f.chunks), n
	if f.chunks == nil {
		all := int64(n) * int64(groups) // in most files, all row groups have the same columns
		f.chunks = make([]uint32, 0, r.capacity(int(min(all, math.MaxInt32))))
	}
	known.latest = append(known.latest, make([]int, max(n-len(known.latest), 0))...)
	for column := 0; column < n && r.err == nil; column++ {
		f.chunks = append(f.chunks, uint32(r.at))
		next, fault := known.skip(r.b, r.at, column)
		if r.at = next; fault != noFault {
			r.failed(fault, next)
		}
	}
}

// Chunk reads the column chunk at col of row group rg into c, and reuses the memory
// of c's lists: a copy of c shares them, so only one of both may be read again. Safe for
// concurrent use with different c.
func (f *Footer) Chunk(rg, col int, c *ColumnChunk) error {
	g := &f.RowGroups[rg]
	if col >= g.NumColumns {
		return corrupt.At(-1, "row group ", rg, " has ", g.NumColumns, " columns, none at ", col)
	}
	r := reader{b: f.b[:f.Size], at: int(f.chunks[g.first+col])}
	r.columnChunk(c)
	return r.err
}

// HasCrypto reports whether the entry of any column chunk says that it is encrypted.
func (f *Footer) HasCrypto() bool {
	for _, at := range f.chunks {
		r := reader{b: f.b[:f.Size], at: int(at)}
		for k := r.field(0); k != 0; k = r.field(k) {
			if k == 8<<4|typeStruct || k == 9<<4|typeBinary {
				return true
			}
			r.skip(k)
		}
	}
	return false
}

func (r *reader) sortingColumns() (all []SortingColumn) {
	for n := r.list(typeStruct, 5); n > 0 && r.err == nil; n-- {
		var s SortingColumn
		var seen uint32
		for k := r.field(0); k != 0; k = r.field(k) {
			switch k {
			case 1<<4 | typeI32:
				s.Column = r.i32()
			case 2<<4 | typeTrue, 2<<4 | typeFalse:
				s.Descending = flag(k) == True
			case 3<<4 | typeTrue, 3<<4 | typeFalse:
				s.NullsFirst = flag(k) == True
			default:
				r.skip(k)
				continue
			}
			seen |= 1 << (k >> 4)
		}
		r.require(seen, 1<<1|1<<2|1<<3, "sorting column", "column_idx descending nulls_first")
		all = append(all, s)
	}
	return all
}
