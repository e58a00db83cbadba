package vector

import "github.com/winnow-scan/winnow/encoding/bits"

// Layout is which fields of a Vector hold its slots.
type Layout uint8

const (
	Leaf   Layout = iota // values of Type
	Struct               // one slot of each child
	List                 // Offsets into the one child
	Map                  // Offsets into the keys and, where there are any, the values
)

// Form is how the slots of a vector get their values.
type Form uint8

const (
	Flat       Form = iota // each slot has its own value
	Dictionary             // of a leaf: each slot has a code, Dict has the values
	Constant               // there is memory for one slot only; all Len slots have its value
)

// MaxFixed is the length of the longest FIXED_LEN_BYTE_ARRAY whose values are in
// Fixed. Each NULL takes a whole value there, which a file does not pay for:
// longer values are in Views.
const MaxFixed = 64

// Vector holds the values of one column for some rows, or of one node of a
// nested column for the slots above it. Its memory is laid out as Arrow's:
//
//	slot        0     1     2     3
//	value       5     NULL  7     8
//	Validity    1     0     1     1       bit set: not NULL
//	Int64s      5     0     7     8       0 where NULL
//
// A dictionary vector has codes in the place of values. NULL slots have code 0,
// even if the dictionary is empty:
//
//	slot        0     1     2     3
//	value       "b"   NULL  "a"   "b"
//	Codes       1     0     0     1       Dict: "a" "b"
//
// A list has one offset more than slots: the items of slot i are the slots
// Offsets[i] to Offsets[i+1] of its child. A NULL list has none. Offsets
// begin with 0. A struct has no memory of its own but Validity, and
// children of Len slots each; those of a NULL struct are NULL or zero.
//
//	slot        0       1     2     3
//	value       [1,2]   NULL  []    [NULL]
//	Validity    1       0     1     1
//	Offsets     0       2     2     2     3        Children[0]: 1 2 NULL
//
// Bits and slice elements after the last slot are undefined.
type Vector struct {
	Type   Type // of a leaf; Physical is Group otherwise
	Layout Layout
	Form   Form
	Len    int // slots

	Validity []uint64 // bitmap; empty: no slot is NULL

	// The values of a flat leaf, in the field that Type's Store names.
	Bools   []uint64 // bitmap
	Int32s  []int32
	Int64s  []int64
	Floats  []float32
	Doubles []float64
	Fixed   []byte      // Type's width each
	Views   []bits.View // strings longer than bits.MaxInline are in Buffers
	Buffers [][]byte

	Codes []uint32
	Dict  *Vector // flat, without NULLs

	Offsets  []int32   // List and Map
	Children []*Vector // Struct: the fields. List: the items. Map: keys, then maybe values
}

// Store is the field of a Vector that holds the values of a flat leaf.
type Store uint8

const (
	InNone Store = iota // no leaf
	InBools
	InInt32s
	InInt64s
	InFloats
	InDoubles
	InFixed
	InViews
)

// Store returns the field that holds values of type t. It depends on the physical
// type; a FIXED_LEN_BYTE_ARRAY longer than MaxFixed is in Views.
func (t Type) Store() Store {
	if t.Physical == FixedLenByteArray && t.Length > MaxFixed {
		return InViews
	}
	return [...]Store{
		Boolean: InBools, Int32: InInt32s, Int64: InInt64s, Int96: InFixed, Float: InFloats, Double: InDoubles,
		ByteArray: InViews, FixedLenByteArray: InFixed, Group: InNone,
	}[min(t.Physical, Group)]
}

// IsNull reports whether slot i is NULL.
func (v *Vector) IsNull(i int) bool {
	if v.Form == Constant {
		i = 0
	}
	return len(v.Validity) > 0 && !bits.Get(v.Validity, i)
}

// Nulls returns the number of slots that are NULL.
func (v *Vector) Nulls() int {
	switch {
	case len(v.Validity) == 0:
		return 0
	case v.Form == Constant:
		if bits.Get(v.Validity, 0) {
			return 0
		}
		return v.Len
	}
	return v.Len - bits.Count(v.Validity, 0, v.Len)
}

// Bytes returns the value of slot i of a leaf in Views or Fixed. It shares v's
// memory: it must not be changed, and is valid until v changes or is released.
func (v *Vector) Bytes(i int) []byte {
	switch v.Form {
	case Constant:
		i = 0
	case Dictionary:
		if v.IsNull(i) {
			return nil
		}
		return v.Dict.Bytes(int(v.Codes[i]))
	}
	if v.Type.Store() == InFixed {
		w := v.Type.Width()
		return v.Fixed[i*w : (i+1)*w : (i+1)*w]
	}
	return v.Views[i].Bytes(v.Buffers)
}

// DictionaryUse says whether the vectors of a leaf come in Dictionary form. It is what a
// host asks of a scan, and what a Field tells.
type DictionaryUse uint8

const (
	// DictionaryNever: vectors are Flat, or Constant where the file lacks the column.
	DictionaryNever DictionaryUse = iota

	// DictionaryWherePossible: a vector is a Dictionary where the codes are at hand, as
	// those of dictionary-encoded pages are. Otherwise it is as with DictionaryNever.
	DictionaryWherePossible

	// DictionaryAlways: each vector is a Dictionary, whose entries differ. It is the file's
	// own dictionary where the file has one for all values of the vector. Otherwise it has
	// just the vector's values, in the order of their first slots.
	DictionaryAlways
)

// Field describes a column of a batch, or a child of one.
type Field struct {
	Name       string // "item" of lists, "key" and "value" of maps
	Type       Type
	Layout     Layout
	Nullable   bool
	HasID      bool // the file gives the column an id:
	ID         int32
	Dictionary DictionaryUse // of a leaf
	CRS        string        // of GEOMETRY and GEOGRAPHY: the reference system in the file's words; "" stands for OGC:CRS84
	Edges      string        // of GEOGRAPHY: the curve between two points: SPHERICAL, VINCENTY, THOMAS, ANDOYER, KARNEY
	Stored     *Stored       // what the file's Arrow schema says of the column; nil: nothing
	Children   []Field       // as a Vector's
}

// Batch is some rows: a vector for each column. It is valid until Release.
type Batch struct {
	Fields  []Field
	Columns []*Vector
	Len     int // rows; each column has as many slots
	Origin  Origin

	release func()
}

// Origin says where the rows of a batch come from.
type Origin struct {
	File     string // its name; "" if the batch has rows of several files
	RowGroup int    // -1 if the batch has rows of several row groups
	Rows     Range  // a range of the row group that includes all rows of the batch
}
