package scanner

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A file ends in its footer, the footer's length, and a magic word:
//
//	... pages, indexes ... | FileMetaData | 4a 01 00 00 | P A R 1
//	                       ^ start          length        PARE if the footer is encrypted
const (
	magicSize   = 4
	trailerSize = 4 + magicSize
	minFileSize = magicSize + trailerSize

	// tailSize is how much is read from the end of a file at once: most
	// footers lie within.
	tailSize = 64 << 10
)

// readFooter returns the bytes of src's FileMetaData and where they start. It
// reads once, and twice if the footer is longer than what came with its length.
func readFooter(ctx context.Context, src fetch.Source) (footer []byte, start int64, err error) {
	size := src.Size()
	if size < minFileSize {
		return nil, 0, corrupt.At(-1, "footer: a file of ", size, " bytes has no room for one, not a Parquet file")
	}
	tail, err := fetch.ReadRange(ctx, src, lastBytes(size, tailSize), nil)
	if err != nil {
		return nil, 0, err
	}
	trailer := tail[len(tail)-trailerSize:]
	switch magic := string(trailer[4:]); magic {
	case "PAR1":
	case "PARE":
		return nil, 0, corrupt.IsEncrypted("footer is encrypted (magic PARE), and decryption is not supported")
	default:
		return nil, 0, corrupt.At(-1, "footer: the file does not end in PAR1, not a Parquet file or cut short")
	}

	length := int64(int32(binary.LittleEndian.Uint32(trailer)))
	room := size - trailerSize - magicSize
	if length <= 0 || length > room {
		return nil, 0, corrupt.At(-1, "footer: a length of ", length, " where there is room for 1 to ", room, " bytes")
	}
	start = size - trailerSize - length
	inTail := int64(len(tail) - trailerSize)
	if length <= inTail {
		footer = tail[inTail-length : inTail]
		if length < tailSize/2 {
			footer = slices.Clone(footer) // do not hold on to the rest
		}
		return footer, start, nil
	}

	missing := length - inTail
	front, err := fetch.ReadRange(ctx, src, fetch.Range{Off: start, Len: missing}, func(n int) []byte {
		if int64(n) == missing {
			footer = make([]byte, length)
			return footer[:n]
		}
		return make([]byte, n)
	})
	if err != nil {
		return nil, 0, err
	}
	if footer == nil || &front[0] != &footer[0] { // a source of views has it in one piece
		footer, err = fetch.ReadRange(ctx, src, fetch.Range{Off: start, Len: length}, nil)
		return footer, start, err
	}
	copy(footer[missing:], tail)
	return footer, start, nil
}

func lastBytes(size, n int64) fetch.Range {
	n = min(n, size)
	return fetch.Range{Off: size - n, Len: n}
}
