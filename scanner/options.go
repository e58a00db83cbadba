package scanner

import (
	"maps"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// Options say what a scan hands out. The zero Options stand for all rows and
// columns of a file.
type Options struct {
	// Select names columns or parts of them by paths as schema.ParsePath reads
	// them, and the order in which they come. Nil stands for all columns in
	// the file's order, a list without paths for rows without columns.
	//
	//	a.b.c           of the struct a, the field b, and of that only c
	//	items.price     of the list items, a list of structs, the field price
	//	tags.item       the items of a list, whatever the file calls them
	//	m.value.x       of the values of a map, the field x; keys always come
	//
	// Parts of one column that do not overlap make one column, which stands
	// where the first of them does.
	Select []string

	// Want is a host's schema, in place of Select: what each column is to be,
	// and By how it is found in the file.
	Want []Want
	By   Match

	// Filter is what rows must pass. Columns that it asks are read first, and
	// need not be among those that are handed out. Nil lets every row pass. With
	// Want, its names are the host's, and the file's for columns that are not wanted.
	Filter *filter.Expr

	// Runtime filters are conditions that others publish before the scan or
	// while it runs. Rows that do not pass need not come from the next window
	// on, and pages of such rows are not read; but a filter that drops next to
	// nothing is left out for a while, so rows that do not pass may come.
	Runtime []*filter.Runtime

	// Plan is one that File.Plan made for the same Filter, Rows and Split; nil
	// has the metadata looked at as the scan comes to them.
	Plan *Plan

	// Split is bytes of the file: row groups whose middle does not lie there
	// are not the scan's. The zero Split is the whole file.
	Split fetch.Range

	// Rows are those wanted; nil stands for all. Offset and Limit count in
	// those of them that pass: Offset rows are left out at the front, at most
	// Limit are handed out. A Limit of 0 stands for all rows, and for none with
	// Limited, which a host sets that has a limit of any number. Pages of other
	// rows are not read where that can be known.
	Rows          vector.RowSet
	Offset, Limit int64
	Limited       bool

	// Unnest is the path of a list, a map, or a part of its items. Each row of
	// a batch is an item then, of innermost lists where they nest: it is the
	// last column, and beside it stand the columns of Select as they are in the
	// item's row, none if Select is nil. Rows without items are left out.
	Unnest string

	// RowNumber, if not empty, names a column behind the others that numbers
	// the rows of the file, from 0 on.
	RowNumber string

	// FileName, if not empty, names a column behind that, which has the file's
	// name in each row, as a constant.
	FileName string

	// BatchRows and BatchBytes bound a batch; 0 stands for 8192 rows and 16
	// MiB. A batch has one row at least, whatever its size.
	BatchRows  int
	BatchBytes int

	// Dictionaries lets columns come in dictionary form where the file has
	// them so, which saves looking values up.
	Dictionaries bool

	// Threads is how many row groups Scan reads side by side, or parts of one where
	// there are fewer: 0 and 1 stand for one after the other, in the goroutine that asks. The order of rows is the
	// file's nevertheless. Batches that wait for their turn take up to 256 MiB, or
	// less with a MemoryBudget.
	Threads int

	// Memory is what the scan uses memory of again; nil for its own.
	Memory *Memory

	// MemoryBudget bounds the bytes that the scan holds: read ahead, in batches
	// that are made or wait for their turn, and kept for their next use, whatever
	// the number of threads. A page of each column and thread comes on top of
	// it, and what the host holds of batches that it got; a Memory that the host
	// gives has a bound of its own. 0 sets no bound but those of its parts.
	MemoryBudget int64

	// ReadAhead is how many bytes may have been asked for before they are needed,
	// by goroutines of the scan: indexes and pages of the next row groups, those of
	// all columns at once. 0 leaves it to the source, see fetch.Far, and is none for
	// local files and memory; less than 0 is none. MemoryBudget bounds it, too.
	ReadAhead int64

	// Codecs decompress pages; nil stands for those of the format. Pages that
	// say to be larger than MaxPageBytes are refused; 0 stands for 2 GiB.
	Codecs       *codec.Set
	MaxPageBytes int
	IgnoreCRC    bool // leave the checksums of pages unchecked

	// Stats, if not nil, is what the scan adds its counters to when it ends. Scans
	// may share it; see Stats.Snapshot for how to read it while they run.
	Stats *Stats

	// Constants are columns that the file lacks and the host knows: partition values of a
	// catalogue or of the file's path, defaults. Filter may ask them.
	Constants filter.Constants

	knobs knobs.Knobs // of the context, or of a test
	bare  bool        // Select and Want are not looked at: there are no columns
	parts int         // scans that share MemoryBudget; 0 is one
}

// limited reports whether a limit bounds the rows.
func (o *Options) limited() bool { return o.Limited || o.Limit > 0 }

// optionsError is the text of an error that matches ErrOptions.
type optionsError string

func (e optionsError) Error() string        { return string(e) }
func (e optionsError) Is(target error) bool { return target == ErrOptions }

// check returns an error if no file could be scanned with the options.
func (o *Options) check() error {
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"Offset", o.Offset}, {"Limit", o.Limit}, {"BatchRows", int64(o.BatchRows)}, {"BatchBytes", int64(o.BatchBytes)},
		{"Threads", int64(o.Threads)}, {"MemoryBudget", o.MemoryBudget}, {"MaxPageBytes", int64(o.MaxPageBytes)},
	} {
		if n.value < 0 {
			return optionsError(n.name + " is " + strconv.FormatInt(n.value, 10))
		}
	}
	if o.Want != nil && o.Select != nil {
		return optionsError("Want and Select both say which columns come")
	}
	for i, rows := range o.Rows {
		end := int64(0)
		for _, r := range rows {
			if r.From < end || r.To <= r.From {
				return optionsError("Rows of row group " + strconv.Itoa(i) + " are not in order: [" + strconv.FormatInt(r.From, 10) + ", " + strconv.FormatInt(r.To, 10) + ")")
			}
			end = r.To
		}
	}
	return nil
}

// asks reports whether rows are asked for anything.
func (o *Options) asks() bool { return o.Filter != nil || len(o.Runtime) > 0 }

// constants returns the columns that a host wants and the file lacks, for the
// filter to know.
func (f *File) constants(o *Options) filter.Constants {
	if len(o.Constants)+len(o.Want) == 0 {
		return nil
	}
	constants := filter.Constants{}
	maps.Copy(constants, o.Constants)
	if o.By == ByName {
		project.Missing(f.schema, projectWants(o.Want), constants)
		return constants
	}
	project.MissingNamed(f.schema, f.names(o), projectWants(o.Want), constants)
	return constants
}

// Match is how wanted columns, and fields of wanted structs, are found in a file.
type Match uint8

const (
	ByName     Match = iota
	ByPosition       // the first wanted is the file's first, and so on
	ByFieldID
)

// Want is a column as a host has it, or a part of one: a field of a struct,
// the item of a list, the key or value of a map.
type Want struct {
	Name     string        // in batches; with ByName in the file as well
	FieldID  int32         // with ByFieldID
	Layout   vector.Layout // Leaf, Struct, List or Map
	Type     vector.Type   // of a Leaf
	Children []Want        // Struct: fields. List: the item. Map: key and, maybe, value

	// Default is the value where the file has no such column or field: one
	// slot, as Layout and Type say. Nil stands for NULL.
	Default *vector.Vector
}

const (
	defaultBatchRows  = 8192
	defaultBatchBytes = 16 << 20
)

func (o *Options) batchRows() int {
	if o.BatchRows > 0 {
		return o.BatchRows
	}
	return defaultBatchRows
}

func (o *Options) batchBytes() int64 {
	if o.BatchBytes > 0 {
		return int64(o.BatchBytes)
	}
	return defaultBatchBytes
}
