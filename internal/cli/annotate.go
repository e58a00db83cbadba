package cli

import (
	"strconv"
)

// span is a range of bytes and what it means.
type span struct {
	from, to int
	depth    int // of nesting, for indenting
	what     string
}

// annotator walks over bytes and gives every one of them a meaning. Where the
// bytes make no sense it says so and stops: finish labels what is left.
type annotator struct {
	data  []byte
	at    int
	depth int
	spans []span
	fault string // what made it stop
	flaw  string // what made a part stop, behind which it went on

	show func([]byte) string // the bounds in a header
}

func (a *annotator) left() int { return len(a.data) - a.at }

// fail stops the walk, for the first reason given.
func (a *annotator) fail(why string) bool {
	if a.fault == "" {
		a.fault = why
	}
	return false
}

// note accounts for the bytes from from up to where the walk is now.
func (a *annotator) note(from int, what string) {
	if from < a.at {
		a.spans = append(a.spans, span{from, a.at, a.depth, what})
	}
}

// take accounts for the next n bytes.
func (a *annotator) take(n int64, what string) ([]byte, bool) {
	if a.fault != "" {
		return nil, false
	}
	if n < 0 || n > int64(a.left()) {
		return nil, a.fail(what + ": " + strconv.FormatInt(n, 10) + " bytes wanted, " + strconv.Itoa(a.left()) + " left")
	}
	from := a.at
	a.at += int(n)
	a.note(from, what)
	return a.data[from:a.at], true
}

// uvarint accounts for a ULEB128 number of at most 64 bits.
func (a *annotator) uvarint(what func(v uint64) string) (uint64, bool) {
	if a.fault != "" {
		return 0, false
	}
	from := a.at
	v, n := readUvarint(a.data[a.at:])
	if n == 0 {
		return 0, a.fail(what(0) + ": a number that does not end")
	}
	a.at += n
	a.note(from, what(v))
	return v, true
}

// finish accounts for all that is left.
func (a *annotator) finish(meaning string) {
	if a.fault != "" {
		meaning = "unknown: " + a.fault
	}
	from := a.at
	a.at = len(a.data)
	a.note(from, meaning)
}

// part runs f on the next n bytes, as if there were no others, under one heading.
func (a *annotator) part(n int64, what string, f func(in *annotator)) bool {
	if a.fault != "" {
		return false
	}
	if n < 0 || n > int64(a.left()) {
		return a.fail(what + ": " + strconv.FormatInt(n, 10) + " bytes wanted, " + strconv.Itoa(a.left()) + " left")
	}
	in := annotator{data: a.data[:a.at+int(n)], at: a.at, depth: a.depth}
	f(&in)
	if in.fault != "" && a.flaw == "" {
		a.flaw = in.fault
	}
	in.finish(what + ": not used")
	a.spans = append(a.spans, in.spans...)
	a.at = in.at
	return true
}

// readUvarint returns a ULEB128 number and its length, which is 0 if it does
// not end or does not fit.
func readUvarint(b []byte) (v uint64, n int) {
	for shift := 0; shift < 64 && n < len(b); shift += 7 {
		c := b[n]
		n++
		if shift == 63 && c > 1 {
			return 0, 0
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// packed returns number i of width bits, LSB first as everywhere but in
// BIT_PACKED. Bits behind the end are 0.
func packed(b []byte, i, width int) uint64 {
	var v uint64
	for k := range width {
		bit := i*width + k
		if at := bit / 8; at < len(b) {
			v |= uint64(b[at]>>(bit%8)&1) << k
		}
	}
	return v
}

// packedMSB is packed for BIT_PACKED: the first number in the highest bits.
func packedMSB(b []byte, i, width int) uint64 {
	var v uint64
	for k := range width {
		bit := i*width + k
		v <<= 1
		if at := bit / 8; at < len(b) {
			v |= uint64(b[at] >> (7 - bit%8) & 1)
		}
	}
	return v
}

// few lists n things, or the first of them.
func few(n int, thing func(i int) string) string {
	const most = 12
	s := ""
	for i := range min(n, most) {
		if i > 0 {
			s += " "
		}
		s += thing(i)
	}
	if n > most {
		s += " …"
	}
	return s
}
