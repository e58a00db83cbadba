package pageindex

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Group is what a Judge must know of a row group.
type Group struct {
	Rows   int64
	Wanted vector.Ranges // which of the rows are asked for: vector.All(Rows) for all
	End    int64         // where the footer starts: pages and indexes end before

	// Chunk returns what the footer says of a leaf's chunk. It is asked once for
	// each leaf that has a test whose verdict matters, and for no other.
	Chunk func(leaf *schema.Node) (*Chunk, error)

	// NextPart returns where the first page, index or Bloom filter behind an offset
	// starts, or End. It is asked for Bloom filters whose length the footer does not
	// tell; nil: none is known.
	NextPart func(off int64) int64

	// Stop is asked now and then whether anyone still waits: its error ends the
	// judging. nil: always.
	Stop func() error
}

// next returns where the part behind an offset starts.
func (g *Group) next(off int64) int64 {
	if g.NextPart == nil {
		return g.End
	}
	return min(g.NextPart(off), g.End)
}

// Chunk is a column chunk by its footer's entry, which must stay as it is while
// a Judge works.
type Chunk struct {
	Column Column
	Footer *thrift.ColumnChunk
}

// Options turn off what a Judge may use, so that answers can be compared.
type Options struct {
	NoStatistics bool // of chunks
	NoIndex      bool
	NoBloom      bool
}

// Part is a part of a file that proves something about rows.
type Part uint8

const (
	ChunkStatistics Part = iota
	ColumnIndex
	OffsetIndex
	BloomHeader
	BloomBlock
)

// String names the part.
func (p Part) String() string {
	return [...]string{"statistics", "column index", "offset index", "Bloom filter header", "Bloom filter block"}[p]
}

// Need is bytes of the file that may settle a verdict.
type Need struct {
	Leaf     *schema.Node
	Part     Part
	Off, Len int64

	at int // among the needs of its step
}

// Invalid is a part that contradicts itself, so that nothing was made of it.
type Invalid struct {
	Leaf *schema.Node
	Part Part
	Err  error
}

// Pruned counts wanted rows by what first proved that they do not pass.
type Pruned struct {
	Statistics, PageIndex, Bloom int64
	Invalid                      []Invalid
}

// Judge finds which rows of a row group cannot pass a program, and which are
// sure to, without a look at them. It is used in steps, until Step needs no
// more; what it says in between is right too, only less. The zero Judge becomes
// ready by Start.
type Judge struct {
	root    *filter.Node
	group   Group
	options Options
	whole   vector.Ranges
	rows    vector.Ranges // that may pass
	states  map[*filter.Node]*state
	leaves  map[*schema.Node]*leaf
	stage   stage
	pruned  Pruned
	err     error
	strides int // that may be made until Stop is asked

	needs  []Need
	owners []*leaf  // of needs
	bytes  [][]byte // supplied for needs
}

// stage is what the next Step begins with.
type stage uint8

const (
	atStatistics stage = iota
	atIndexes          // which are supplied
	atBloom            // of which something is supplied
	atEnd
)

// state is what is known of a node.
type state struct {
	none, all vector.Ranges // rows that do not pass, that do
	leaf      *leaf         // of tests, and comparisons of columns; nil until it matters
	other     *leaf         // of comparisons
	probe     *probe        // of tests, nil until it matters
}

// Start makes of j a Judge that has not looked at anything yet. What it said before
// stays as it is.
func (j *Judge) Start(program *filter.Program, group Group, options Options) {
	if j.states == nil {
		j.states, j.leaves = map[*filter.Node]*state{}, map[*schema.Node]*leaf{}
	}
	clear(j.states)
	clear(j.leaves)
	if j.whole == nil || j.group.Rows != group.Rows {
		j.whole = vector.All(group.Rows)
	}
	j.root, j.group, j.options = program.Root, group, options
	j.stage, j.pruned, j.err = atStatistics, Pruned{}, nil
	j.forget()
	if j.rows = j.whole; !group.Wanted.Covers(0, group.Rows) {
		j.rows = group.Wanted.And(j.whole)
	}
	j.track(program.Root)
}

func (j *Judge) track(n *filter.Node) {
	if j.states[n] != nil {
		return
	}
	s := &state{}
	switch n.Op {
	case filter.OpFalse:
		s.none = j.whole
	case filter.OpTrue:
		s.all = j.whole
	}
	j.states[n] = s
	for _, a := range n.Args {
		j.track(a)
	}
}

// Rows returns the wanted rows that may pass.
func (j *Judge) Rows() vector.Ranges { return j.rows }

// Of returns the rows that are proven not to pass a node of the program, and
// those proven to pass it.
func (j *Judge) Of(n *filter.Node) (none, all vector.Ranges) {
	if s := j.states[n]; s != nil {
		return s.none, s.all
	}
	return nil, nil
}

// Offsets returns a leaf's offset index, if it was asked for and is right.
func (j *Judge) Offsets(leaf *schema.Node) *thrift.OffsetIndex {
	if l := j.leaves[leaf]; l != nil {
		return l.offsets
	}
	return nil
}

// Pruned returns what was proven by what, so far.
func (j *Judge) Pruned() Pruned { return j.pruned }

// Supply hands over the bytes of a need that the last Step returned, or says
// that they cannot be read: then the next Step fails. The bytes must stay as
// they are until that Step is done. What is not supplied is done without.
func (j *Judge) Supply(n Need, b []byte, err error) {
	if err != nil && j.err == nil {
		j.err = err
	}
	if n.at < len(j.bytes) {
		j.bytes[n.at] = b
	}
}

// Step makes what it can of what it has, and returns what else could change
// the result: nothing, once there is no such thing. What it returns is its own
// and good until the next Step.
func (j *Judge) Step() ([]Need, error) {
	for j.stage != atEnd && j.err == nil {
		switch j.stage {
		case atStatistics:
			j.settle(j.root, j.rows, (*state).byStatistics)
			j.count(&j.pruned.Statistics)
			j.stage = atIndexes
			if !j.options.NoIndex {
				j.askIndexes()
			}
		case atIndexes:
			j.readIndexes()
			j.settle(j.root, j.rows, (*state).byPages)
			j.count(&j.pruned.PageIndex)
			j.forget()
			j.stage = atBloom
			if j.options.NoBloom || !j.askBloom() {
				j.stage = atEnd
			}
		case atBloom:
			j.readHeaders()
			j.settle(j.root, j.rows, (*state).byBloom)
			j.count(&j.pruned.Bloom)
			j.forget()
			if !j.askBloom() {
				j.stage = atEnd
			}
		}
		if len(j.needs) > 0 && j.err == nil {
			return j.needs, nil
		}
	}
	j.forget()
	return nil, j.err
}

// stride is how many nodes, ranges and pages are looked at between two looks at
// Stop: far less than a millisecond's.
const stride = 256

// over reports whether there is no point in going on, and counts what was done.
func (j *Judge) over(done int) bool {
	if j.strides -= done; j.strides <= 0 && j.err == nil && j.group.Stop != nil {
		j.strides = stride
		j.err = j.group.Stop()
	}
	return j.err != nil
}

// forget drops the needs of the last step, and their bytes.
func (j *Judge) forget() {
	for _, l := range j.owners {
		clear(l.bloom.asked)
	}
	clear(j.bytes)
	clear(j.owners)
	j.needs, j.owners, j.bytes = j.needs[:0], j.owners[:0], j.bytes[:0]
}

// ask adds a need, and returns its place, or -1 and a fault if it does not lie
// in the file.
func (j *Judge) ask(l *leaf, part Part, off, length int64) (int, error) {
	if off < int64(len(magic)) || length <= 0 || off > j.group.End || length > j.group.End-off {
		return -1, corrupt.At(-1, part, " of ", length, " bytes at offset ", off, ", of ", j.group.End)
	}
	at := len(j.needs)
	j.needs = append(j.needs, Need{Leaf: l.node, Part: part, Off: off, Len: length, at: at})
	j.owners = append(j.owners, l)
	j.bytes = append(j.bytes, nil)
	return at, nil
}

// supplied returns what was supplied for a need; nil if nothing was.
func (j *Judge) supplied(at int) []byte {
	if at < 0 || at >= len(j.needs) || int64(len(j.bytes[at])) < j.needs[at].Len {
		return nil
	}
	return j.bytes[at][:j.needs[at].Len]
}

// invalid notes that nothing is made of a part of l.
func (j *Judge) invalid(l *leaf, part Part, err error) {
	j.pruned.Invalid = append(j.pruned.Invalid, Invalid{l.node, part, err})
}

// count notes how many rows a stage has pruned.
func (j *Judge) count(rows *int64) {
	rest := without(j.rows, j.states[j.root].none)
	*rows += j.rows.Len() - rest.Len()
	j.rows = rest
}
