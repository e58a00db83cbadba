package bits

import (
	"encoding/binary"
	"math/bits"
)

// MaxInline is the length of the longest string that a View holds in itself.
const MaxInline = 12

// View is a string, or where to find it: 16 bytes in Arrow's view layout.
//
//	byte       0      4             8             12
//	short      length | the string itself, filled up with zeros |
//	long       length | first four  | buffer      | offset      |
//
// length, buffer and offset are int32 of the machine's own byte order, strings
// are bytes in their order, so memory is what Arrow expects on every machine.
// Equal short views are equal strings, hence == works among views that are
// known to be short. The zero View is the empty string.
type View struct{ head, rest uint64 }

// MakeInline returns the view that holds b, at most MaxInline bytes, in itself.
func MakeInline(b []byte) View {
	if len(b) >= 8 {
		// Two overlapping loads: bytes 0-7, and the last eight.
		first := binary.LittleEndian.Uint64(b)
		last := binary.LittleEndian.Uint64(b[len(b)-8:])
		// The last eight begin at byte len-8; bytes 4-11 are wanted.
		return InlineWords(len(b), uint32(first), last>>(8*uint(MaxInline-len(b))))
	}
	var w uint64
	for i := len(b) - 1; i >= 0; i-- {
		w = w<<8 | uint64(b[i])
	}
	return InlineWords(len(b), uint32(w), w>>32)
}

// MakeFrom is Make for the first n bytes of b, which has at least 12. Where a view holds them all it does not look
// at the length, which could not be predicted.
func MakeFrom(b []byte, n int, buffer, offset int32) View {
	_ = b[11]
	first, rest := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])
	if n > MaxInline {
		return RefWords(n, uint32(first), buffer, offset)
	}
	first &^= ^uint64(0) << (8 * uint(n))
	rest &^= ^uint32(0) << (8 * uint(max(n, 8)-8))
	return InlineWords(n, uint32(first), first>>32|uint64(rest)<<32)
}

// InlineWords returns the view of a string of n <= MaxInline bytes: first holds
// its bytes 0 to 3, rest its bytes 4 to 11, loaded little-endian. Bytes from n
// on must be 0.
func InlineWords(n int, first uint32, rest uint64) View {
	if BigEndian {
		return View{uint64(n)<<32 | uint64(bits.ReverseBytes32(first)), bits.ReverseBytes64(rest)}
	}
	return View{uint64(n) | uint64(first)<<32, rest}
}

// MakeRef returns the view of b, longer than MaxInline bytes, that stands at
// offset of buffer.
func MakeRef(b []byte, buffer, offset int32) View {
	return RefWords(len(b), binary.LittleEndian.Uint32(b), buffer, offset)
}

// RefWords is MakeRef where the first four bytes are loaded, little-endian.
func RefWords(n int, first uint32, buffer, offset int32) View {
	if BigEndian {
		return View{uint64(n)<<32 | uint64(bits.ReverseBytes32(first)), uint64(uint32(buffer))<<32 | uint64(uint32(offset))}
	}
	return View{uint64(n) | uint64(first)<<32, uint64(uint32(buffer)) | uint64(uint32(offset))<<32}
}

// Make returns the view of b, which stands at offset of buffer, whatever its length.
func Make(b []byte, buffer, offset int32) View {
	if len(b) > MaxInline {
		return MakeRef(b, buffer, offset)
	}
	return MakeInline(b)
}

// Len returns the length of the string.
func (v View) Len() int {
	if BigEndian {
		return int(v.head >> 32)
	}
	return int(uint32(v.head))
}

// OrderInline returns which of less and equal is 1, as the strings of two inline views are in order; else 0.
func OrderInline(v, w View) (less, equal uint64) {
	x, low := v.key()
	y, lowest := w.key()
	if x == y && low == lowest {
		equal = 1
	}
	_, less = bits.Sub64(low, lowest, 0)
	_, less = bits.Sub64(x, y, less)
	return less, equal
}

// key returns two words of an inline view: its bytes, and then its length.
func (v View) key() (high, low uint64) {
	first, rest := v.head>>32, v.rest
	if BigEndian {
		first = v.head
	} else {
		first, rest = uint64(bits.ReverseBytes32(uint32(first))), bits.ReverseBytes64(rest)
	}
	return first<<32 | rest>>32, rest<<32 | uint64(v.Len())
}

// IsInline reports whether the view holds the string itself.
func (v View) IsInline() bool { return v.Len() <= MaxInline }

// Ref returns where the string stands. Only for views that are not inline.
func (v View) Ref() (buffer, offset int32) {
	if BigEndian {
		return int32(v.rest >> 32), int32(v.rest)
	}
	return int32(v.rest), int32(v.rest >> 32)
}

// Moved returns the view of the same string at another place. An inline view is returned as it is.
func (v View) Moved(buffer, offset int32) View {
	if v.IsInline() {
		return v
	}
	return View{v.head, RefWords(0, 0, buffer, offset).rest}
}

// MoveAll makes views refer to buffer, at the offsets that they have. Inline views
// stay as they are. Short and long strings often alternate at random, so there is no
// branch on IsInline.
func MoveAll(views []View, buffer int32) {
	to, field := RefWords(0, 0, buffer, 0).rest, RefWords(0, 0, -1, 0).rest
	for i := range views {
		v := &views[i]
		long := uint64(int64(MaxInline-v.Len()) >> 63)
		v.rest ^= (v.rest ^ to) & field & long
	}
}

// Head returns length and first four bytes as one word: views whose heads
// differ are different strings.
func (v View) Head() uint64 { return v.head }

// Words returns the two words of the view: short strings whose words are equal are equal.
func (v View) Words() (head, rest uint64) { return v.head, v.rest }
