package rowfilter

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// Host is the scan to which a Filter belongs. The Filter calls it in the scan's goroutine.
// Its errors contain their position in the file.
type Host interface {
	// Bind binds an expression to the file's schema.
	Bind(*filter.Expr) (*compile.Program, error)
	// Leaf returns the scan's leaf of a node, whose values a test reads.
	Leaf(*schema.Node) Leaf
	// Input returns an input of a compute.
	Input(compile.Need) (Input, error)
	// Interruptible returns a test that a cancelled scan does not wait for.
	Interruptible(*pred.Test) *pred.Test
	// Check returns an error once the scan's context has ended.
	Check() error
	// ReadMetadata supplies a Judge with parts of a row group's metadata.
	ReadMetadata(rowGroup int, j *pageindex.Judge, needs []pageindex.Need) error
	// Wrap adds a row group and a column to an error that has no position yet.
	Wrap(rowGroup int, column string, err error) error
	// FunctionFailed adds the row group to an error of a filter's function, which may
	// have a position of its own, in another file.
	FunctionFailed(rowGroup int, err error) error
}

// Leaf is a leaf column of the scan, in its current row group.
type Leaf interface {
	Node() *schema.Node
	// Chunk returns the footer's entry of the column chunk in a row group, and the number
	// of rows of the row group, which becomes the current one.
	Chunk(rowGroup int) (*pageindex.Chunk, int64, error)
	// Enter makes rows [from, to) the window of the chunk's cursor.
	Enter(from, to int64) (*column.Cursor, error)
	// Pages returns the locations of the chunk's pages, nil if they are not known yet.
	Pages() []thrift.PageLocation
	// Wrap adds the chunk's position to an error.
	Wrap(error) error
}

// Input is one value that a compute needs of each row.
type Input interface {
	Leaves(func(Leaf))
	// Read returns the values of the selected rows. They are valid until Release.
	Read(window.Rows) (*vector.Vector, error)
	Release()
}

// Options configure a Filter. Knobs change no answer.
type Options struct {
	knobs.Knobs

	RowsOf   func(rowGroup int) int64 // how many rows a row group has
	End      int64                    // where the footer starts: pages and indexes end before
	NextPart func(off int64) int64    // where the first part of the file after an offset starts
	Stop     func() error             // called now and then while metadata are judged: an error ends that; nil: never
	Far      bool                     // windows are large, see FarWindow
}
