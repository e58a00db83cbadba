package column

import (
	"math"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Feed supplies the bytes of a chunk. Offsets count from its first page.
type Feed interface {
	// Read returns the bytes [from, to), with encoding.Padding bytes of
	// capacity after them. They stay as they are until Done. Calls go forward,
	// except for the dictionary page, which is read once a page needs it, and
	// pages of the window, which are read in any order.
	Read(from, to int64) ([]byte, error)
	// Done says that the cursor does not look at bytes in front of before any
	// more. Vectors that it handed out do not point there.
	Done(before int64)
}

// Source describes a column chunk to a cursor.
type Source struct {
	Leaf          *schema.Node
	Pages         page.Chunk // its Length, Values, and where it stands
	Rows          int64      // of the row group
	Unpacker      page.Unpacker
	LSBFirst      bool // the writer packed BIT_PACKED levels from the lowest bit on, against the format
	DirtyHighBits bool // values of an INT(8) or INT(16) may have bits that these do not have

	// Index is the chunk's offset index, nil to go from header to header. Its
	// offsets count from the file's start, where the chunk is at Start.
	Index []thrift.PageLocation
	Start int64
}

// Chunk is a column chunk, shared by all cursors over it: a Source, and the
// dictionary, which the first of them that needs it decodes.
type Chunk struct {
	source Source

	mu      sync.Mutex
	dict    *values.Dictionary
	decoded bool  // dict is this chunk's, not the memory of the chunk before
	dictAt  int64 // where its page is in the chunk
	dictErr error
}

// maxLevel is the highest level that cursors handle: they keep levels in bytes.
const maxLevel = math.MaxUint8

// Reset makes c the chunk of s. No cursor may be on it.
func (c *Chunk) Reset(s Source) error {
	c.Release()
	c.source = s
	if s.Leaf.MaxDef > maxLevel {
		return corrupt.NotSupported("column nested ", s.Leaf.MaxDef, " levels deep")
	}
	if !s.repeated() && s.Pages.Values != s.Rows {
		return chunkError("the metadata promises ", s.Pages.Values, " values, the row group has ", s.Rows, " rows")
	}
	return s.checkIndex()
}

// Release gives the dictionary's body back to the Bodies. It returns how many bytes of values
// c, or cursors that were on it, keep. None may be on it now.
func (c *Chunk) Release() (held int64) {
	c.source, c.decoded, c.dictErr = Source{}, false, nil
	d := c.dict
	if d == nil {
		return 0
	}
	if !d.Recycle() {
		c.dict = nil
	}
	return d.Memory()
}

// checkIndex checks that the pages of an index follow each other within the chunk.
func (s *Source) checkIndex() error {
	if s.Index == nil {
		return nil
	}
	end, row := s.Start, int64(0)
	for i, p := range s.Index {
		if p.Offset < end || p.Offset > s.Start+s.Pages.Length || p.CompressedSize <= 0 || p.FirstRow < row || p.FirstRow > s.Rows || i == 0 && p.FirstRow != 0 {
			return chunkError("offset index: page ", i, " of ", p.CompressedSize, " bytes at offset ", p.Offset, ", row ", p.FirstRow)
		}
		end, row = p.Offset+int64(p.CompressedSize), p.FirstRow
	}
	if end > s.Start+s.Pages.Length || len(s.Index) == 0 && s.Rows > 0 {
		return chunkError("offset index: ", len(s.Index), " pages up to offset ", end, ", the chunk ends at ", s.Start+s.Pages.Length)
	}
	return nil
}

// repeated reports whether a row may have several slots, or parts on two pages.
func (s *Source) repeated() bool { return s.Leaf.MaxRep > 0 }
