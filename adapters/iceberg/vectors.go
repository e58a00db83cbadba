package icebergscan

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/io"

	"github.com/winnow-scan/winnow/scanner"
)

// vectorIO opens Puffin files for iceberg-go, which allocates memory for as many bitmaps as a deletion
// vector claims. What it reads of vectors is checked for that before.
type vectorIO struct {
	io.IO
	vectors []iceberg.DataFile // of the files that it opens
}

func (v vectorIO) Open(name string) (io.File, error) {
	f, err := v.IO.Open(name)
	if err != nil {
		return nil, err
	}
	return vectorFile{f, v.vectors}, nil
}

type vectorFile struct {
	io.File
	vectors []iceberg.DataFile
}

// ReadAt refuses vectors with more bitmaps than they have bytes for. iceberg-go reads a vector at once:
//
//	length  magic  count of bitmaps  key  bitmap  key  bitmap …  checksum
//	4       4      8                 4    ≥ 8     4    ≥ 8       4
func (f vectorFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	for _, v := range f.vectors {
		offset, size := v.ContentOffset(), v.ContentSizeInBytes()
		if offset == nil || size == nil || *offset < off || *offset-off > int64(n)-16 {
			continue
		}
		if count := binary.LittleEndian.Uint64(p[*offset-off+8:]); count > uint64(max(0, *size))/12 {
			return 0, fmt.Errorf("the deletion vector at %d has %d bytes and claims %d bitmaps: %w", *offset, *size, count, scanner.ErrCorrupt)
		}
	}
	return n, err
}
