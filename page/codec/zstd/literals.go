package zstd

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// literals are the bytes of a block that are not copied from before.
type literals struct {
	out  []byte // those of the current block
	room int    // bytes after out that may be read
	buf  []byte // memory for literals that are not in the input as they are

	known   bool // whether there is a table
	log     int  // of its size
	table   [1 << mostBits]uint16
	counts  counts
	states  [mostStates]state
	weights [256 + 1]byte
	codes   [256]state
	streams streams
}

const (
	literalsRaw     = 0
	literalsRLE     = 1
	literalsPacked  = 2 // with a table
	literalsRepeat  = 3 // with the last one
	leastPerStreams = 6 // literals in four streams
)

// literalsHeader is the header of a block's literals.
type literalsHeader struct {
	kind    byte
	size    int // of the header
	n       int // literals
	packed  int // bytes that they take
	streams int // of a Huffman code: 1 or 4
}

// parseLiterals reads the header at the start of a block.
func parseLiterals(b []byte) (h literalsHeader, err error) {
	if len(b) < 2 {
		return h, cutShort("block")
	}
	form := b[0] >> 2 & 3
	h.kind, h.streams = b[0]&3, 4
	if h.kind == literalsRaw || h.kind == literalsRLE {
		switch form {
		case 0, 2:
			h.n, h.size = int(b[0]>>3), 1
		case 1:
			h.n, h.size = int(b[0]>>4)|int(b[1])<<4, 2
		case 3:
			if len(b) < 3 {
				return h, cutShort("literals")
			}
			h.n, h.size = int(b[0]>>4)|int(b[1])<<4|int(b[2])<<12, 3
		}
		if h.packed = h.n; h.kind == literalsRLE {
			h.packed = 1
		}
		return h, nil
	}
	h.size = 3
	width := 10
	switch form {
	case 0:
		h.streams = 1
	case 2:
		h.size, width = 4, 14
	case 3:
		h.size, width = 5, 18
	}
	if len(b) < h.size {
		return h, cutShort("literals")
	}
	v := uint64(number(b, h.size)) >> 4
	h.n, h.packed = int(v&(1<<width-1)), int(v>>width)
	return h, nil
}

// read decodes the literals of the block src[at:end], and returns where they end.
func (l *literals) read(src []byte, at, end, most int, k *way) (int, error) {
	b := src[at:end:end]
	h, err := parseLiterals(b)
	if err != nil {
		return 0, err
	}
	if h.n > most {
		return 0, corrupt.At(-1, h.n, " literals, at most ", most, " are allowed")
	}
	if h.packed > len(b)-h.size {
		return 0, cutShort("literals")
	}
	at += h.size
	next := at + h.packed
	if h.kind == literalsRaw {
		l.out, l.room = src[at:next], len(src)-next
		return next, nil
	}
	l.out, l.room = l.buf[:h.n], len(l.buf)-h.n
	if h.kind == literalsRLE {
		fill(l.out, src[at])
		return next, nil
	}
	if h.kind == literalsPacked {
		used, err := l.readTable(src[at:next])
		if err != nil {
			return 0, err
		}
		l.known = true
		at += used
	}
	if !l.known {
		return 0, corrupt.At(-1, "literals with the table before, and there is none")
	}
	if h.streams == 1 {
		return next, l.one(src, at, next)
	}
	return next, l.four(src, at, next, k)
}

func cutShort(what string) error { return corrupt.At(-1, what, " cut short") }

// four decodes src[at:end]: the lengths of three streams, two bytes each, then four
// streams, with a quarter of the literals each.
func (l *literals) four(src []byte, at, end int, k *way) error {
	n := len(l.out)
	each := (n + 3) / 4
	if end-at < 10 || 3*each > n {
		return cutShort("literals")
	}
	s := &l.streams
	from := at + 6
	for i := range 4 {
		to := end
		if i < 3 {
			to = from + int(binary.LittleEndian.Uint16(src[at+2*i:]))
		}
		if to > end {
			return cutShort("literals")
		}
		left, err := bitsOf(src[from:to])
		if err != nil {
			return err
		}
		s.at[i], s.left[i] = from, left
		s.out[i], s.end[i] = i*each, min((i+1)*each, n)
		from = to
	}
	if k.literals != nil {
		k.literals(l, src)
	}
	for i := range 4 {
		if err := l.decodeOne(src, s.at[i], s.left[i], s.out[i], s.end[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *literals) one(src []byte, at, end int) error {
	left, err := bitsOf(src[at:end])
	if err != nil {
		return err
	}
	return l.decodeOne(src, at, left, 0, len(l.out))
}

// bitsOf returns how many bits a stream has, which is read from its end: all below the
// highest bit that is set in its last byte.
func bitsOf(stream []byte) (int, error) {
	if len(stream) == 0 || stream[len(stream)-1] == 0 {
		return 0, corrupt.At(-1, "a stream of bits without an end")
	}
	return 8*(len(stream)-1) + highest(uint(stream[len(stream)-1])), nil
}
