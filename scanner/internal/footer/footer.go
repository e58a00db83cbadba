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

	// localTail is how much is read from the end of a local file at once: many footers lie within, with the indexes
	// before them. A second read of the others takes less than to allocate, clear and copy 16 KiB for nothing.
	localTail = int64(4 << 10)
)

// Footer is the metadata at the end of a file.
type Footer struct {
	Bytes  []byte // as they are in the file
	Start  int64  // of Bytes
	Sealed bool   // they are encrypted
	Before []byte // bytes before them that came along
}

// Read returns the footer of src, which may be far away. It takes it from src's cache, or reads once, and twice if
// the footer is longer than what came with its length. It caches the trailer and the
// footer, not the bytes before it.
func Read(ctx context.Context, src *cache.Source, far bool, maxFooter int64) (f Footer, err error) {
	size, tailSize := src.Size(), localTail
	if far {
		tailSize = sizesOf(ctx).next()
	}
	if size < minFileSize {
		return f, corrupt.At(-1, "footer: a file of ", size, " bytes has no room for one, not a Parquet file")
	}
	tail := src.Get(lastBytes(size, TrailerSize))
	if tail == nil {
		if tail, err = fetch.ReadRange(ctx, src.Source, lastBytes(size, tailSize), nil); err != nil {
			return f, err
		}
	}
	trailer := tail[len(tail)-TrailerSize:]
	switch magic := string(trailer[4:]); magic {
	case "PAR1":
	case "PARE":
		f.Sealed = true
	case "PARX", "PAR3":
		of := map[string]string{"PARX": "with flags of features, such as modules", "PAR3": "in FlatBuffers"}[magic]
		return f, corrupt.NotSupported("footer: the file ends in ", magic, ", for footers ", of, ": proposed, and of no version of the format yet")
	default:
		return f, corrupt.At(-1, "footer: the file does not end in PAR1, not a Parquet file or cut short")
	}

	length := int64(int32(binary.LittleEndian.Uint32(trailer)))
	room := size - TrailerSize - MagicSize
	if length <= 0 || length > room {
		return f, corrupt.At(-1, "footer: a length of ", length, " where there is room for 1 to ", room, " bytes")
	}
	if maxFooter > 0 && length > maxFooter {
		return f, corrupt.NotSupported("footer of ", length, " bytes, more than the limit of ", maxFooter)
	}
	f.Start = size - TrailerSize - length
	inTail := int64(len(tail) - TrailerSize)
	defer func() {
		if err == nil && inTail > 0 {
			src.Put([]fetch.Range{{Off: f.Start, Len: length}, lastBytes(size, TrailerSize)}, [][]byte{f.Bytes, trailer})
		}
	}()
	if length <= inTail {
		f.Bytes, f.Before = tail[inTail-length:inTail], tail[:inTail-length]
		if far && length < tailSize/2 {
			f.Bytes = slices.Clone(f.Bytes) // do not hold on to the rest
		}
		return f, nil
	}

	missing := length - inTail
	if missing == length { // of the cache's trailer
		f.Bytes, err = fetch.ReadRange(ctx, src, fetch.Range{Off: f.Start, Len: length}, nil)
		return f, err
	}
	front, err := fetch.ReadRange(ctx, src.Source, fetch.Range{Off: f.Start, Len: missing}, func(n int) []byte {
		if int64(n) == missing {
			f.Bytes = make([]byte, length)
			return f.Bytes[:n]
		}
		return make([]byte, n)
	})
	if err != nil {
		return f, err
	}
	if f.Bytes == nil || &front[0] != &f.Bytes[0] { // a source of views has it in one piece
		f.Bytes, err = fetch.ReadRange(ctx, src.Source, fetch.Range{Off: f.Start, Len: length}, nil)
		return f, err
	}
	copy(f.Bytes[missing:], tail)
	return f, nil
}

func lastBytes(size, n int64) fetch.Range {
	n = min(n, size)
	return fetch.Range{Off: size - n, Len: n}
}
