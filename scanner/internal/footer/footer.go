package footer

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

const (
	// MagicSize is the length of the magic word at either end of a file.
	MagicSize = 4
	// TrailerSize is that of the footer's length and the magic word after it.
	TrailerSize = 4 + MagicSize

	minFileSize = MagicSize + TrailerSize

	// localTail is how much is read from the end of a file at once: most
	// footers lie within.
	localTail = int64(64 << 10)
)

// Read returns the bytes of src's FileMetaData, where they start, and bytes before them that
// came along, if src is far away. It takes the footer from src's cache, or reads once, and
// twice if the footer is longer than what came with its length. It caches the trailer and
// the footer, not the bytes before it.
func Read(ctx context.Context, src *cache.Source, maxFooter int64) (footer []byte, start int64, before []byte, err error) {
	size, tailSize := src.Size(), localTail
	far := src.Traits().Latency > 0
	if far {
		tailSize = sizesOf(ctx).next()
	}
	if size < minFileSize {
		return nil, 0, nil, corrupt.At(-1, "footer: a file of ", size, " bytes has no room for one, not a Parquet file")
	}
	tail := src.Get(lastBytes(size, TrailerSize))
	if tail == nil {
		if tail, err = fetch.ReadRange(ctx, src.Source, lastBytes(size, tailSize), nil); err != nil {
			return nil, 0, nil, err
		}
	}
	trailer := tail[len(tail)-TrailerSize:]
	switch magic := string(trailer[4:]); magic {
	case "PAR1":
	case "PARE":
		return nil, 0, nil, corrupt.IsEncrypted("footer is encrypted (magic PARE), and decryption is not supported")
	default:
		return nil, 0, nil, corrupt.At(-1, "footer: the file does not end in PAR1, not a Parquet file or cut short")
	}

	length := int64(int32(binary.LittleEndian.Uint32(trailer)))
	room := size - TrailerSize - MagicSize
	if length <= 0 || length > room {
		return nil, 0, nil, corrupt.At(-1, "footer: a length of ", length, " where there is room for 1 to ", room, " bytes")
	}
	if maxFooter > 0 && length > maxFooter {
		return nil, 0, nil, corrupt.NotSupported("footer of ", length, " bytes, more than the limit of ", maxFooter)
	}
	start = size - TrailerSize - length
	inTail := int64(len(tail) - TrailerSize)
	defer func() {
		if err == nil && inTail > 0 {
			src.Put([]fetch.Range{{Off: start, Len: length}, lastBytes(size, TrailerSize)}, [][]byte{footer, trailer})
		}
	}()
	if length <= inTail {
		footer = tail[inTail-length : inTail]
		if far {
			before = tail[:inTail-length]
		}
		if length < tailSize/2 {
			footer = slices.Clone(footer) // do not hold on to the rest
		}
		return footer, start, before, nil
	}

	missing := length - inTail
	if missing == length { // of the cache's trailer
		footer, err = fetch.ReadRange(ctx, src, fetch.Range{Off: start, Len: length}, nil)
		return footer, start, nil, err
	}
	front, err := fetch.ReadRange(ctx, src.Source, fetch.Range{Off: start, Len: missing}, func(n int) []byte {
		if int64(n) == missing {
			footer = make([]byte, length)
			return footer[:n]
		}
		return make([]byte, n)
	})
	if err != nil {
		return nil, 0, nil, err
	}
	if footer == nil || &front[0] != &footer[0] { // a source of views has it in one piece
		footer, err = fetch.ReadRange(ctx, src.Source, fetch.Range{Off: start, Len: length}, nil)
		return footer, start, nil, err
	}
	copy(footer[missing:], tail)
	return footer, start, nil, nil
}

func lastBytes(size, n int64) fetch.Range {
	n = min(n, size)
	return fetch.Range{Off: size - n, Len: n}
}
