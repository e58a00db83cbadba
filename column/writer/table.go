package writer

// row is one defect of a writer.
type row struct {
	name  string
	from  version // the first with the defect, or zero for all up to fixed
	fixed version // the first without the defect, or zero for none
	wrong Facts
	of    Traits // that a column must have
	why   string // where it is described
}

// at is a released version.
func at(major, minor, patch int32) version { return version{major, minor, patch, false} }

var always version

// table is all known defects.
var table = []row{
	// Arrow C++ wrote arrays that came with a dictionary (only of BYTE_ARRAY) without a
	// look at each row. In a file they look like others. Its name was parquet-cpp before
	// Arrow 4. Nulls were those of the dictionary. From 6 on, bounds and nulls were those
	// of the first batch; from 11 on they are right for a chunk, but not for its pages.
	{"parquet-cpp", at(1, 5, 1), always, NullCounts, ByteArray | Dictionary, "ARROW-12513"},
	{"parquet-cpp-arrow", always, at(6, 0, 0), NullCounts, ByteArray | Dictionary, "ARROW-12513"},
	{"parquet-cpp-arrow", at(6, 0, 0), at(11, 0, 0), Bounds | NullCounts, ByteArray | Dictionary, "apache/arrow#15042"},
	{"parquet-cpp-arrow", at(6, 0, 0), at(12, 0, 0), Bounds | NullCounts, ByteArray | Dictionary | Page, "apache/arrow#34106"},
	// Decimals were compared byte by byte, and each byte as a signed one.
	{"parquet-cpp", always, always, Bounds, Bytes | Decimal, "PARQUET-1655"},

	// The nulls of the dictionary were counted, not those of the column (arrow2), or those
	// of the chunk once for each page (Polars). Neither told its version then. Within
	// structs and lists, NULLs above the leaf were left out, or what they hide counted.
	{"Arrow2 - Native Rust implementation of Arrow", always, always, NullCounts, Dictionary, "jorgecarleitao/arrow2#1414"},
	{"Arrow2 - Native Rust implementation of Arrow", always, always, NullCounts, Nested, "pola-rs/polars#20621"},
	{"Polars", always, always, NullCounts, Dictionary, "pola-rs/polars#29321"},
	{"Polars", always, always, NullCounts, Nested, "pola-rs/polars#20621"},

	// Byte arrays were compared by their lengths first.
	{"parquet-rs", always, at(5, 2, 0), Bounds, Bytes, "apache/arrow-rs#641"},
	// Decimals of different lengths were compared as text is.
	{"parquet-rs", always, always, Bounds, ByteArray | Decimal, "apache/arrow-rs#11073"},
	{"github.com/parquet-go/parquet-go", always, at(0, 33, 0), Bounds, ByteArray | Decimal, "parquet-go/parquet-go#592"},
	{"github.com/segmentio/parquet-go", always, always, Bounds, ByteArray | Decimal, "parquet-go/parquet-go#592"},

	// Bounds were views of memory that was written again.
	{"parquet-mr", always, at(1, 8, 0), Bounds, Bytes, "PARQUET-251"},
	// The size of a chunk leaves out the header of its dictionary page.
	{"parquet-mr", always, at(1, 2, 9), ChunkSizes, 0, "PARQUET-816"},
	// BIT_PACKED levels start at the lowest bit. Impala 3.0 no longer reads such levels.
	{"impala", always, always, LevelOrder, 0, "IMPALA-6077"},
}
