package annotate

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
