// Package scanner opens Parquet files and hands out their rows.
//
//	f, err := scanner.Open(ctx, "f.parquet")
//	for batch, err := range f.Scan(ctx, scanner.Options{Select: []string{"id", "items.price"}, Limit: 100}) {
//		…
//	}
//
// What there is to call:
//
//	Open, OpenSource                    a local file, or one wherever it lies
//	File.Scan, File.Partitions          rows: in order, or in parts for a host's own goroutines
//	Rows                                rows as structs of Go
//	File.Count, Min, Max, Top, Passing  answers that take less than a scan
//	File.Plan                           what metadata prove, before anything is read
//
// All of these take Options, whose zero value is a right one. Package dataset scans
// several files as one table. Package filter makes conditions (filter.Parse,
// filter.Col), package vector is what batches are made of.
//
// # Opening
//
// Open and OpenSource read a file's footer, in one read of the file's end
// unless it is very long, and make its schema. A Chunk is the footer's entry
// of one column of one row group, decoded when it is asked for. Nothing of a
// chunk is believed before it is checked: Range refuses places where no chunk
// can be, and what other readers stumble over (dictionaries that the footer
// does not mention, chunks longer than it says) is settled there once.
//
// # Binding
//
// Select names columns by paths, or parts of them. Want is a host's schema
// instead: each wanted column is found by name, position or field id. One that the
// file lacks is NULL or a default, wherever it nests; one that is narrower in the
// file is widened where that loses nothing, after the rows are selected:
//
//	INT(8..32), INT32     wider INT, INT64; INT32 also DOUBLE
//	UINT(8..32)           wider UINT
//	FLOAT                 DOUBLE
//	DECIMAL(p,s)          DECIMAL with as many digits on either side of the point, in any physical type
//	TIME, TIMESTAMP       other units, and INT96 as TIMESTAMP: a value that is not exact is an error
//	STRING, bytes …       each other
//	UNKNOWN               anything
//
// All else is an error that matches ErrMismatch and names both types.
//
// # Scanning
//
// A row group is read in windows of rows. In each window, the column.Cursor of every
// leaf reads the rows. Windows are gathered until there are enough rows or bytes for a
// batch; nested columns are assembled then.
//
//	rows       0      9          24       33      47        of those wanted
//	windows    [  a   ][   b    ]        [  c    ][ d ]     selections where gaps are short
//	batches    [       1        ]        [     2      ]
//
// State has three lifetimes, each with its type: scan is what is settled once for all,
// groupRun is the run over one row group, with its phase, and batchMaker is the batch in
// the making.
//
//	judge ─▶ filter ─┬▶ gather survivors ─▶ filter ─▶ … ─▶ account
//	                 └▶ gather untested  ─▶ filter
//
// A cursor gets its bytes through a Feed (scanner/internal/feed): some at a time, never a
// whole row group. Where an offset index shows pages without wanted rows, their bytes are
// not read. Without one, the headers of unwanted pages are read, and their bodies as far as
// skipping them costs more. An offset index that contradicts itself is not used; one that
// contradicts its pages is an error.
//
// Uncompressed pages of a file opened by path are looked at in a mapping of the file, not
// read. If the file shrinks meanwhile, that is an error as it is where it is read. Nothing
// of a batch points into the mapping.
//
// Strings point into their pages, so a batch keeps each page that it shows some of. A
// released batch keeps nothing.
//
// # Filters
//
// With a Filter, or Runtime filters that may come later, the metadata of a row group are
// judged first: rows that cannot pass, tests that all rows pass. Then windows of rows are
// tested, column by column, cheapest first by what is measured; each column sees the rows
// that the others left (scanner/internal/rowfilter). The survivors of a window are read in
// pieces, which are windows of the columns that are returned:
//
//	rows        0        9        18       27       36
//	metadata    [ none  ][ some            ][ all   ]      none: never read; all: not tested
//	window               [ 0 1 1 0 0 0 0 0 1 1 1 1 1]
//	pieces               [    piece    ][   piece   ]
//
// Where nothing has to be tested, because metadata prove that all rows pass or a runtime
// filter is in backoff, windows are those of a scan without a filter.
//
// Plan returns what metadata prove without reading data. Threads and Partitions
// read row groups side by side, and parts of one where there are too few. Stats
// says for each page whether it was decoded, and if not, why; scans may share it.
// What a host's function, source or codec panics with, in whatever goroutine, comes
// out of the loop over batches.
//
// # Sources far away
//
// Any fetch.Source can be scanned. One that says that its reads wait long, see
// fetch.Far, is asked for indexes and pages of the next row groups while others
// are decoded, and for the pages of all columns at once. ReadAhead says how many
// bytes may be on their way. Local files are read when they are needed, in the
// goroutine that asks.
//
// # Answers
//
// Count, Min and Max look at no more than their answers take: the footer where
// that is enough, else what the filter asks, and row groups that can still change
// the result. Passing returns the rows that pass as a RowSet. Top returns the
// first rows of an order, and looks at the pages that may hold them.
//
// # Errors
//
// Every error is an *Error that names the file and, as far as they are known,
// row group, column, page and offset. It matches ErrCorrupt, ErrUnsupported or
// ErrEncrypted if it concerns the file's bytes, ErrOptions if options make no sense,
// ErrMismatch if it concerns what a host wants, ErrNoColumn if that names a column which the file lacks, and otherwise
// what the machine or the context reported.
//
// The error of a scan whose context ended matches both context.Canceled or
// context.DeadlineExceeded and the context's cause, whatever the scan was at. It
// comes some milliseconds after the context's end: large pages are decompressed, and
// conditions bound, beside the scan. A scan waits for a function of the host's, and
// for a LIKE on a value of megabytes.
//
// What never comes here: loops over values but those of conversions, of Min, Max
// and Top and of Rows, decoding, printing.
package scanner
