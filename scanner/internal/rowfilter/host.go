package rowfilter

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/thrift"
)

// Host is the scan that a Filter is of. All of it is called by the scan's
// goroutine. Errors that it returns have their place in the file already.
type Host interface {
	// Bind binds an expression to the file's schema.
	Bind(*filter.Expr) (*filter.Program, error)
	// Leaf returns the scan's leaf of a node, whose values a test reads.
	Leaf(*schema.Node) Leaf
	// Input returns what a compute needs.
	Input(filter.Need) (Input, error)
	// Interruptible returns a test that a cancelled scan does not wait for.
	Interruptible(*pred.Test) *pred.Test
	// Check returns an error once nobody waits for the scan any more.
	Check() error
	// ReadMetadata supplies a Judge with parts of a row group's metadata.
	ReadMetadata(rowGroup int, j *pageindex.Judge, needs []pageindex.Need) error
	// Wrap adds a row group and what a step is about to an error that has no place yet.
	Wrap(rowGroup int, column string, err error) error
}

// Leaf is a leaf column of the scan, in the row group at hand.
type Leaf interface {
	Node() *schema.Node
	// Chunk returns the footer's entry of the column chunk in a row group, and that
	// one's number of rows. It makes that row group the one at hand.
	Chunk(rowGroup int) (*pageindex.Chunk, int64, error)
	// Enter makes rows [from, to) the window of the chunk's cursor.
	Enter(from, to int64) (*column.Cursor, error)
	// Pages returns where the chunk's pages are, nil if that is not known yet.
	Pages() []thrift.PageLocation
	// Wrap adds the chunk's place to an error.
	Wrap(error) error
}

// Input is one value that a compute needs of each row.
type Input interface {
	Leaves(func(Leaf))
	// Read returns the n values of the selected rows of [from, to), until Release.
	Read(sel *vector.Selection, from, to int64, n int) (*vector.Vector, error)
	Release()
}

// Options of a Filter. What stands below the first lines is for tests and for those who
// measure: it changes no answer.
type Options struct {
	Columns  int                      // that the scan returns
	RowsOf   func(rowGroup int) int64 // how many rows a row group has
	End      int64                    // where the footer starts: pages and indexes end before
	NextPart func(off int64) int64    // where the first part of the file behind an offset starts
	Stop     func() error             // asked now and then while metadata are judged: its error ends that; nil: never

	NoStatistics, NoPageIndex, NoBloom, NoDictionaries bool // as proofs
	FixedOrder                                         bool // steps run as they are written
	NoBackoff                                          bool // runtime filters are tested even if they drop next to nothing
	Window                                             int  // rows that are tested at a time; 0: as many as the cache holds
	Mask                                               column.Choice
}
