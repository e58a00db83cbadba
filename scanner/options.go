package scanner

import (
	"cmp"
	"log/slog"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Options are a query, the resources that it may use, and who observes it. The zero Options
// select all rows and columns of a file. A scan never changes them; their slices, Filter and
// Constants must not change while it runs.
type Options struct {
	// Query:

	// Select names columns or parts of them by paths as schema.ParsePath reads
	// them, and the order in which they come. Nil stands for all columns in
	// the file's order, a list without paths for rows without columns.
	//
	//	a.b.c           of the struct a, the field b, and of that only c
	//	items.price     of the list items, a list of structs, the field price
	//	tags.item       the items of a list, whatever the file calls them
	//	m.value.x       of the values of a map, the field x; keys always come
	//	v.x::INT        of values within a VARIANT, see filter
	//
	// A path into a VARIANT is one of conditions, as v.a.b, v['a b'][3] or v.a::DATE, and makes a column of its
	// own: of the type of its cast, NULL where a value has no such cast, or without a cast a VARIANT. Its name is
	// the text that conditions are printed with: CAST(v.a AS DATE). Where all values of the rows are shredded,
	// only these are read. The names metadata, value and typed_value behind a VARIANT are those of its stored parts:
	// a field with such a name is v['value'].
	//
	// Parts of one column that do not overlap make one column, which stands
	// where the first of them does. Several columns may have the same path: its
	// first mention is the first of them, the second mention the second. The same
	// holds for names of Want.
	Select []string

	// Want is a host's schema, in place of Select: the name and type of each
	// column. By chooses how the columns are found in the file.
	Want []Want
	By   Match

	// Filter is the condition that rows must pass; nil lets every row pass. Its
	// columns are read first, and need not be selected. With Want, its names are
	// the host's; a column that Want leaves out has the file's name.
	Filter *filter.Expr

	// Runtime filters are conditions that the host publishes before the scan or
	// while it runs. From the next window on, the scan may drop rows that do not
	// pass, and skip their pages. A filter that drops next to nothing is in
	// backoff for a while, so a batch may still have rows that do not pass.
	Runtime []*filter.Runtime

	// Plan is the result of File.Plan for the same Filter, Rows and Split. Nil:
	// the scan reads and judges the metadata of each row group when it reaches it.
	Plan *Plan

	// Split is a range of the file's bytes: the scan reads the row groups whose
	// middle lies in it. The zero Split is the whole file.
	Split fetch.Range

	// Rows are the wanted rows; nil selects all. Offset and Limit count wanted
	// rows that pass: the first Offset are skipped, and at most Limit of the
	// following are returned. Limited says that Limit is a limit even if it is 0;
	// without it, a Limit of 0 means no limit. Pages without wanted rows are
	// skipped where an index or a header shows it.
	Rows          vector.RowSet
	Offset, Limit int64
	Limited       bool

	// Unnest is the path of a list, a map, or a part of its items. Each item, of
	// the innermost list where lists nest, becomes a row of the batch. Columns of
	// Select, none if Select is nil, repeat the values of the item's row. Paths
	// of Select that lead into the lists on the way, and the path of Unnest, are
	// columns of their own, named by their path: the parts of the item itself, or
	// of the outer item that it is in. If none of them is the path of Unnest or
	// leads on from it, the item is the last column. Rows without items are left
	// out.
	Unnest string

	// RowNumber, if not empty, names a column after the others that numbers
	// the rows of the file, from 0 on.
	RowNumber string

	// FileName, if not empty, names a column after that, which has the file's
	// name in each row, as a constant.
	FileName string

	// Constants are columns whose value the host knows, such as partition values of a
	// catalogue or of the file's path. Filter, Select, Want, Min and Max may name them, as
	// columns they are Constant. A constant hides a column of the file with its name.
	// Others come only if they are named, and have no position with ByPosition.
	Constants filter.Constants

	// Dictionaries say which columns come as dictionaries, by paths as those of Select,
	// with Want of the host's names. A path stands for all leaves at or below it, the path
	// "" for all that no other names. Fields tells what holds for each leaf. Nil: none.
	Dictionaries map[string]vector.DictionaryUse

	// Resources:

	// BatchRows and BatchBytes bound a batch; 0 stands for 8192 rows and 16
	// MiB. A batch has one row at least, whatever its size.
	BatchRows  int
	BatchBytes int

	// Threads is how many goroutines of Scan read at the same time, each a row group, or
	// a part of one where there are fewer row groups. 1, and 0 unless Resources has Workers: the scan
	// reads in the caller's goroutine. Rows come in the file's order either way. Batches
	// that wait for their turn take up to 256 MiB, or a quarter of Resources.Bytes. A scan with a
	// filter reads up to 16 row groups of a far source at the same time in any case, unless
	// it has Runtime filters, a limit or few Resources.Bytes: they wait for the source.
	Threads int

	// Resources bound what this scan and all others with the same Resources take together, and keep memory
	// for reuse. Nil: only the defaults of the other options bound them, and scans of the File
	// share memory for reuse: 64 MiB, gone with the next garbage collection once no scan or batch uses it.
	Resources *Resources

	// ReadAhead bounds the bytes of indexes and pages that goroutines of the scan
	// prefetch from the next row groups, of all columns at once. 0 leaves the bound
	// to the source, see fetch.Traits; local files and memory are not prefetched then.
	// A negative value turns prefetching off. Resources bound them, too. What scans
	// wait for is requested beyond the bound.
	ReadAhead int64

	// Codecs are the caller's own codecs, by number. They take precedence over those of
	// the format, which the scan has.
	Codecs map[thrift.Codec]codec.Codec

	// A page whose header claims more than MaxPageBytes is an error; 0 stands for 2 GiB.
	MaxPageBytes int
	IgnoreCRC    bool // leave the checksums of pages unchecked

	// Observation:

	// Stats, if not nil, receives the scan's counters when the scan ends. Several
	// scans may share it; Stats.Snapshot reads it while they run.
	Stats *Stats

	// Log, if not nil, gets a record of level Debug when the scan ends, with the scan's context,
	// the counters that are graphed, and the number that Event.Scan is. Of a scan that lasts
	// SlowScan or longer, if that is not 0, the level is Warn. Invalid offset indexes get a record
	// of level Warn, once a scan; so does each of File.Notes.
	Log      *slog.Logger
	SlowScan time.Duration

	// Trace, if not nil, is called for each Event, by the goroutine that caused it, which
	// waits. With Threads, Partitions or prefetching, that is several at the same time.
	Trace func(Event)

	// Pages, if not nil, is called with what became of each data page of the columns that the
	// scan reads, by goroutines as Trace is.
	Pages func(PageReport)

	knobs     knobs.Knobs  // from the context, or set by a test
	noColumns bool         // ignores Select and Want: batches have no columns
	ranked    *schema.Node // with noColumns, the column whose values are compared; nil: none
	watch     *watch       // that reports the scan, which may be a part of another; nil: none does
	memory    *idleMemory  // for reuse; nil: that of Resources, or the file's
}

// ExcludesFile reports whether Constants prove that no row of a file with these values passes Filter
// and Runtime. A host that lists files itself, and knows the values of their partitions, need not
// open such a file. Conditions on other columns prove nothing here. An error is one that a scan
// would return too, whatever the file.
func (o *Options) ExcludesFile() (bool, error) {
	excluded, err := compile.Excludes(o.Filter, o.Constants)
	for _, r := range o.Runtime {
		if excluded || err != nil {
			break
		}
		e, _ := r.Snapshot()
		excluded, err = compile.Excludes(e, o.Constants)
	}
	return excluded, err
}

// limited reports whether the scan has a row limit.
func (o *Options) limited() bool { return o.Limited || o.Limit > 0 }

// optionsError is the text of an error that matches ErrOptions.
type optionsError string

func (e optionsError) Error() string        { return string(e) }
func (e optionsError) Is(target error) bool { return target == ErrOptions }

// check returns an error if the options contradict each other or have a negative bound.
func (o *Options) check() error {
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"Offset", o.Offset}, {"Limit", o.Limit}, {"BatchRows", int64(o.BatchRows)}, {"BatchBytes", int64(o.BatchBytes)},
		{"Threads", int64(o.Threads)}, {"MaxPageBytes", int64(o.MaxPageBytes)},
	} {
		if n.value < 0 {
			return optionsError(n.name + " is " + strconv.FormatInt(n.value, 10))
		}
	}
	if err := o.Resources.check(); err != nil {
		return err
	}
	if o.Want != nil && o.Select != nil {
		return optionsError("Want and Select both say which columns come")
	}
	for path, use := range o.Dictionaries {
		if use > vector.DictionaryAlways {
			return optionsError("Dictionaries of " + strconv.Quote(path) + " is " + strconv.Itoa(int(use)))
		}
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

// hasFilter reports whether rows may have to pass a filter, static or published at run time.
func (o *Options) hasFilter() bool { return o.Filter != nil || len(o.Runtime) > 0 }

// Match chooses how wanted columns, and fields of wanted structs, are found in a file.
type Match uint8

const (
	ByName     Match = iota
	ByPosition       // the first wanted column is the file's first, and so on
	ByFieldID
)

// Want describes a column of a host's schema, or a part of one: a field of a struct,
// the item of a list, the key or value of a map.
type Want struct {
	Name     string        // in batches; with ByName in the file as well
	FieldID  int32         // with ByFieldID
	Layout   vector.Layout // Leaf, Struct, List or Map
	Type     vector.Type   // of a Leaf
	Children []Want        // Struct: fields. List: the item. Map: key and, maybe, value

	// Default is the value of a column or field that the file lacks, of Layout and Type.
	// The zero Scalar is NULL.
	Default vector.Scalar
}

// Wants returns columns of one file, as Fields has them, as those that a host wants of other
// files: of the same names and types.
func Wants(fields []vector.Field) []Want {
	wants := make([]Want, len(fields))
	for i := range fields {
		f := &fields[i]
		wants[i] = Want{Name: f.Name, Layout: f.Layout, Type: f.Type, Children: Wants(f.Children)}
	}
	return wants
}

const (
	defaultBatchRows  = 8192
	defaultBatchBytes = 16 << 20
)

func (o *Options) batchRows() int    { return cmp.Or(o.BatchRows, defaultBatchRows) }
func (o *Options) batchBytes() int64 { return int64(cmp.Or(o.BatchBytes, defaultBatchBytes)) }
