// Package scanner opens Parquet files and returns their rows in batches.
//
//	f, err := scanner.Open(ctx, "f.parquet")
//	for batch, err := range f.Scan(ctx, scanner.Options{Select: []string{"id", "items.price"}, Limit: 100}) {
//		…
//	}
//
// Entry points:
//
//	Open, OpenSource                    a local file, or one of any source
//	File.Scan, File.Partitions          rows: in order, or in parts for a host's own goroutines
//	Rows                                rows as structs of Go
//	File.Count, Min, Max, Top, Passing  answers that take less than a scan
//	File.Plan                           what metadata prove, before any page is read
//
// All of these but Open and OpenSource take Options, whose zero value selects everything.
// Package dataset scans several files as one table. Package filter makes conditions
// (filter.Parse, filter.Col); package vector has the types of batches and columns.
//
// # Words
//
// The words of this package and of those below it, each with one meaning:
//
//	row group    rows that a file stores together; a column of it is a column chunk
//	page         what of a chunk is compressed by itself: levels, then values
//	leaf         a column of the file that has values; a column of a batch is made of some
//	slot         a value or NULL of a leaf: one in a row, or below a list any number
//	unit         what a goroutine claims at a time: a row group, or rows of one
//	run          the work on one unit
//	wanted       of rows: not ruled out by Options, the plan or metadata
//	window       rows that follow each other and are tested, or read, together
//	selection    which rows of a window are left, as a bitmap
//	survivors    the rows of a tested window that passed and are not read yet
//	piece        the rows of a tested window that are read together
//	batch        the selected rows of several windows or pieces, which the host gets
//	condition    what a host wrote: a filter.Expr, or one of its operands
//	program      conditions bound to a file, a tree of nodes
//	test         a condition on the values of one leaf, a node of a program
//	step         a node as it runs, with its proofs and costs
//	proof        rows of which metadata prove that none, or all, pass a test
//	backoff      when a runtime filter is not tested, since it drops next to nothing
//	fate         how far a page was processed; reason: why it was not read
//	keep         decoded for a test, and not decoded again for the survivors
//	hold         have memory that counts, in a batch or against Resources
//	lend         hand out views of memory, which is reused only after their Release
//
// # Opening
//
// Open and OpenSource read a file's footer, in one read of the file's end
// unless it is very long, and make its schema. A Chunk is the footer's entry
// of one column of one row group, parsed on demand. Every field of it is checked
// before use: Chunk.Range refuses ranges outside of the file's data, and corrects the
// known errors of writers, such as unmentioned dictionaries and understated sizes.
//
// # Binding
//
// Select names columns by paths, or parts of them. Want is a host's schema
// instead: each wanted column is found by name, position or field id. A column or field
// that the file lacks is NULL or a default. One that is narrower in the file is
// widened where that loses nothing, after the rows are selected:
//
//	INT(8..32), INT32     wider INT, INT64, DOUBLE
//	UINT(8..32)           wider UINT, wider INT, INT64, DOUBLE
//	FLOAT                 DOUBLE
//	INT, UINT(8..32)      DECIMAL with as many digits before the point as the type has: 3, 5, 10 or 19
//	DECIMAL(p,s)          DECIMAL with as many digits on either side of the point, in any physical type
//	TIME, TIMESTAMP       other units, and INT96 or 12 bytes as 64 bits: a value that is not exact is an error
//	DATE                  TIMESTAMP that is not adjusted to UTC
//	STRING, bytes …       each other
//	FIXED_LEN_BYTE_ARRAY  STRING, bytes …
//	UNKNOWN               anything
//
// Any other difference is an error that matches ErrMismatch and names both types.
//
// # Scanning
//
// A row group is read in windows of rows. In each window, the column.Cursor of every
// leaf reads the rows. Windows are gathered until there are enough rows or bytes for a
// batch; nested columns are assembled then.
//
//	rows       0      9          24       33      47        wanted rows
//	windows    [  a   ][   b    ]        [  c    ][ d ]     selections where gaps are short
//	batches    [       1        ]        [     2      ]
//
// State has three lifetimes, each with its type: scan lives for the whole scan, unitRun
// for one row group, with its state, and batchMaker for one batch.
//
//	judge ─▶ undecided ─┬▶ tested   ─▶ read survivors ─▶ undecided
//	                    ├▶ untested ─▶ read all       ─▶ undecided
//	                    └▶ finished ─▶ account
//
// A cursor gets its bytes through a Feed (scanner/internal/feed), which holds a part of a
// chunk, never a whole row group. An offset index shows pages without wanted rows; their
// bytes are not read. Without one, the scan reads the headers of unwanted pages, and their
// bodies where skipping costs more than reading. An offset index that contradicts itself
// is not used; one that contradicts its pages is an error.
//
// Uncompressed pages of a file opened by path are decoded from a mapping of the file. If
// the file shrinks meanwhile, the scan ends with an error, as it does for reads. Batches
// never point into the mapping.
//
// Strings point into their pages, so a batch keeps each page that one of its values points
// into. A released batch keeps nothing.
//
// # Filters
//
// With a Filter or Runtime filters, the scan first judges the metadata of a row group: they
// may prove that rows cannot pass, or that all rows pass a test. Then it tests windows of
// rows, column by column, in the order of measured cost; each column tests the rows
// that passed before (scanner/internal/rowfilter). The survivors of a window are read in
// pieces, which a batch has room for:
//
//	rows        0        9        18       27       36
//	metadata    [ none  ][ some            ][ all   ]      none: never read; all: not tested
//	window               [ 0 1 1 0 0 0 0 0 1 1 1 1 1]
//	pieces               [    piece    ][   piece   ]
//
// Rows that need no test, because metadata prove that they pass or a runtime filter is in
// backoff, are read in windows as without a filter.
//
// Plan returns what metadata prove, without reading pages. Threads and Partitions
// read several row groups at the same time, or parts of one where there are too few. Stats
// counts for each page whether it was decoded, and if not, why; scans may share a Stats.
// Log gets the sums of a scan, Trace its requests and row groups. Scans may share Resources of
// bytes, workers and requests.
// A panic of a host's function, source or codec, in any goroutine, is passed on to the
// goroutine of the loop over batches.
//
// # Remote sources
//
// Any fetch.Source can be scanned. From a source with a high latency, see fetch.Traits, the
// scan prefetches indexes and pages of the next row groups while others are decoded, of
// all columns at once. ReadAhead bounds the prefetched bytes. Local files are read on
// demand, in the goroutine that needs the bytes.
//
// # Answers
//
// Count, Min and Max read only what their answers need: the footer where that is
// enough, else the columns of the filter, and row groups that can still change
// the result. Passing returns the rows that pass as a RowSet. Top returns the
// first rows of an order, and reads the pages that may hold them.
//
// # Errors
//
// Every error is an *Error that names the file and, as far as they are known,
// row group, column, page and offset. It matches ErrCorrupt, ErrUnsupported or
// ErrEncrypted if it concerns the file's bytes, ErrOptions if options make no sense,
// ErrMismatch if a wanted column has another type, ErrMemory if a page exceeds the Resources,
// and ErrNoColumn if the file lacks a named column. Any other error wraps that of the
// source, the host or the context.
//
// The error of a scan whose context ended matches both context.Canceled or
// context.DeadlineExceeded and the context's cause. It comes some milliseconds after the
// context's end: large pages are decompressed, and long conditions bound, in goroutines
// that the scan can abandon. But a scan waits for a function of the host's, and for a LIKE
// on a value of megabytes.
//
// What never comes here: loops over values but those of conversions, of Min, Max
// and Top and of Rows, decoding, printing.
package scanner
