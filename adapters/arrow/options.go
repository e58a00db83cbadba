package arrowscan

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Strings is how the strings and byte arrays of a stream are laid out.
type Strings uint8

const (
	AsStored          Strings = iota // each column as the file's Arrow schema says, or else Views
	AsStoredOrOffsets                // each column as the file's Arrow schema says, or else Offsets
	Views                            // string_view and binary_view: nothing is copied
	Offsets                          // string and binary: 32-bit offsets, for consumers that lack views
	LargeOffsets                     // large_string and large_binary: 64-bit offsets
)

// Options choose among Arrow's types. The zero Options return what a file's Arrow schema says.
type Options struct {
	// Strings is the layout of strings and byte arrays.
	Strings Strings

	// IgnoreStored leaves out what a file's Arrow schema, ARROW:schema in its metadata, says of durations, time
	// zones, dictionaries, fixed-size lists, layouts and metadata: types are those of the package's table.
	IgnoreStored bool

	// Int96 is the unit of timestamps stored as INT96, or as nanoseconds in 12 bytes. A value that the unit
	// cannot hold ends the scan with an error; years outside 1677 to 2262 need Microsecond.
	// The zero value is replaced by Nanosecond.
	Int96 Unit

	// WholeVariants puts shredded VARIANT columns together: each VARIANT is a struct of metadata and value alone, for
	// consumers that know no typed_value.
	WholeVariants bool

	// PlainTypes leaves out extension types: columns have the type of their storage.
	PlainTypes bool

	// UncheckedUTF8 passes strings on without a check that they are UTF-8, to consumers that
	// check it themselves or do not rely on it.
	UncheckedUTF8 bool

	// Allocator is where converted columns are allocated; nil is Arrow's default.
	Allocator memory.Allocator

	inVariant bool // of a column within a VARIANT
}

// Unit is the unit of a timestamp.
type Unit uint8

const (
	Nanosecond Unit = iota
	Microsecond
	Millisecond
	Second
)

func (u Unit) arrow() arrow.TimeUnit {
	return [...]arrow.TimeUnit{arrow.Nanosecond, arrow.Microsecond, arrow.Millisecond, arrow.Second}[u&3]
}

// perSecond returns how many of u there are in a second.
func (u Unit) perSecond() int64 { return [...]int64{1e9, 1e6, 1e3, 1}[u&3] }
