package annotate

import (
	"cmp"
	"encoding/binary"
	"strconv"
)

// annotator walks over bytes and labels them. At the first bytes that make no
// sense it stops; finish labels what is left.
type annotator struct {
	data      []byte
	pos       int
	depth     int
	spans     []Span
	fault     string // why it stopped
	partFault string // why it stopped in a part, after which it went on

	showBound func([]byte) string // a bound in the statistics of a header; nil: as bytes
}

func (a *annotator) section() *Section {
	return &Section{Data: a.data, Spans: a.spans, Fault: cmp.Or(a.partFault, a.fault)}
}

func (a *annotator) remaining() int { return len(a.data) - a.pos }

// fail stops the walk. The first reason counts.
func (a *annotator) fail(why string) bool {
	a.fault = cmp.Or(a.fault, why)
	return false
}

// label says what the bytes from from to the current position mean.
func (a *annotator) label(from int, meaning string) {
	if from < a.pos {
		a.spans = append(a.spans, Span{from, a.pos, a.depth, meaning})
	}
}

// relabel replaces the meaning of the span before the current position.
func (a *annotator) relabel(meaning string) { a.spans[len(a.spans)-1].Meaning = meaning }

// detail adds to the meaning of the span before the current position.
func (a *annotator) detail(more string) { a.spans[len(a.spans)-1].Meaning += more }

// consume labels the next n bytes and returns them.
func (a *annotator) consume(n int64, meaning string) ([]byte, bool) {
	if a.fault != "" {
		return nil, false
	}
	if n < 0 || n > int64(a.remaining()) {
		return nil, a.tooFew(n, meaning)
	}
	from := a.pos
	a.pos += int(n)
	a.label(from, meaning)
	return a.data[from:a.pos], true
}

func (a *annotator) tooFew(n int64, what string) bool {
	return a.fail(what + ": " + strconv.FormatInt(n, 10) + " bytes wanted, " + strconv.Itoa(a.remaining()) + " left")
}

// uvarint labels a ULEB128 number of at most 64 bits and returns it.
func (a *annotator) uvarint(meaning func(v uint64) string) (uint64, bool) {
	if a.fault != "" {
		return 0, false
	}
	from := a.pos
	v, n := binary.Uvarint(a.data[a.pos:])
	if n <= 0 {
		return 0, a.fail(meaning(0) + ": a number that does not end")
	}
	a.pos += n
	a.label(from, meaning(v))
	return v, true
}

// finish labels all bytes that are left.
func (a *annotator) finish(meaning string) {
	if a.fault != "" {
		meaning = "unknown: " + a.fault
	}
	from := a.pos
	a.pos = len(a.data)
	a.label(from, meaning)
}

// part lets f label the next n bytes, and no others. If it stops, the walk goes
// on after them.
func (a *annotator) part(n int64, what string, f func(in *annotator)) {
	if a.fault != "" {
		return
	}
	if n < 0 || n > int64(a.remaining()) {
		a.tooFew(n, what)
		return
	}
	in := annotator{data: a.data[:a.pos+int(n)], pos: a.pos, depth: a.depth}
	f(&in)
	if in.fault != "" && a.partFault == "" {
		a.partFault = in.fault
	}
	in.finish(what + ": not used")
	a.spans = append(a.spans, in.spans...)
	a.pos = in.pos
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

func littleEndian(b []byte) uint64 { return packedLSB(b, 0, 8*len(b)) }

// packedLSB returns number i of those packed in width bits each, where the first
// number stands in the lowest bits. Bits after the end are 0.
func packedLSB(b []byte, i, width int) uint64 {
	var v uint64
	for k := range width {
		bit := i*width + k
		if at := bit / 8; at < len(b) {
			v |= uint64(b[at]>>(bit%8)&1) << k
		}
	}
	return v
}

// packedMSB is packedLSB where the first number stands in the highest bits, as in
// BIT_PACKED.
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

// list shows the first of n items.
func list(n int, show func(i int) string) string {
	const most = 12
	s := ""
	for i := range min(n, most) {
		if i > 0 {
			s += " "
		}
		s += show(i)
	}
	if n > most {
		s += " …"
	}
	return s
}

// Section is a piece of a page of which each byte has a meaning.
type Section struct {
	Data  []byte
	Spans []Span // in order, without gaps
	Fault string // the first thing that made no sense; "" for none
}

// Span is a range of a section's bytes.
type Span struct {
	From, To int // [From, To)
	Depth    int // of nesting, for indenting
	Meaning  string
}

// Header annotates a page header. Bounds in its statistics are shown as values.
func (p *Page) Header(header []byte) *Section {
	a := annotator{data: header, showBound: p.ShowValue}
	a.thriftStruct(pageHeaderFields, "page header")
	a.finish("unknown")
	return a.section()
}

// Body annotates a body that is not compressed.
func (p *Page) Body(body []byte) *Section {
	a := annotator{data: body}
	a.levelsV2(p)
	a.body(p)
	return a.section()
}

// CompressedBody annotates a body that is compressed with a codec. The levels in
// front of a v2 body are not; CompressedBody returns how many bytes they take.
func (p *Page) CompressedBody(body []byte, codec string) (s *Section, levels int) {
	a := annotator{data: body}
	a.levelsV2(p)
	levels = a.pos
	a.finish("compressed with " + codec)
	return a.section(), levels
}

// Decompressed annotates what a compressed body holds after the levels of v2. It
// is called after CompressedBody, which counts the nulls in these levels.
func (p *Page) Decompressed(data []byte) *Section {
	a := annotator{data: data}
	a.body(p)
	return a.section()
}
