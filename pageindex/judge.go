package pageindex

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Group describes a row group to a Judge.
type Group struct {
	Rows   int64
	Wanted vector.Ranges // the rows that the scan needs; vector.All(Rows) for all of them
	End    int64         // file offset of the footer: all pages and indexes end at or before it

	// Chunk returns a leaf's column chunk, nil if the row group has none. It is
	// called once for each leaf with a test whose verdict matters. Its error fails
	// Step.
	Chunk func(leaf *schema.Node) (*Chunk, error)

	// NextPart returns the file offset of the first page, index or Bloom filter
	// that starts after off, or End. It is called for Bloom filters whose length
	// the footer lacks. nil means End.
	NextPart func(off int64) int64

	// Stop is called every few hundred nodes and pages. Its error fails Step, so
	// that a scan can be cancelled. It may be nil.
	Stop func() error
}

// next returns the file offset at which the next part after off starts.
func (g *Group) next(off int64) int64 {
	if g.NextPart == nil {
		return g.End
	}
	return min(g.NextPart(off), g.End)
}

// Chunk is a column chunk and its entry in the footer. The entry must not change
// while a Judge uses it.
type Chunk struct {
	Column    Column
	Footer    *thrift.ColumnChunk
	Encrypted bool // its needs are encrypted modules, and what is supplied is decrypted, so shorter
}

// Options turn off kinds of evidence, so that answers with and without them can be
// compared.
type Options struct {
	NoStatistics bool // ignore the statistics of column chunks
	NoIndex      bool
	NoBloom      bool
}

// MetadataPart is a part of a file that proves something about rows.
type MetadataPart uint8

const (
	ChunkStatistics MetadataPart = iota
	ColumnIndex
	OffsetIndex
	BloomHeader
	BloomBlock
)

// String names the part.
func (p MetadataPart) String() string {
	return [...]string{"statistics", "column index", "offset index", "Bloom filter header", "Bloom filter block"}[p]
}

// Need is a byte range of the file that may decide a verdict.
type Need struct {
	Leaf     *schema.Node
	Part     MetadataPart
	Off, Len int64

	at int // index in Judge.needs
}

// Invalid is a part that was ignored, because it is malformed or contradicts the
// footer.
type Invalid struct {
	Leaf *schema.Node
	Part MetadataPart
	Err  error
}

// Pruned counts wanted rows by the evidence that first proved that they do not pass.
type Pruned struct {
	Statistics, PageIndex, Bloom int64
	Invalid                      []Invalid
}

// Judge finds which rows of a row group are proven not to pass a program, and
// which are proven to pass, from metadata alone. Call Start, then Step until it
// returns no needs. Verdicts between steps are correct, but may be incomplete.
// A Judge is for one goroutine at a time; Start makes it ready for the next row
// group.
type Judge struct {
	root       *compile.Node
	group      Group
	options    Options
	allRows    vector.Ranges
	candidates vector.Ranges // wanted rows that may pass
	states     map[*compile.Node]*state
	leaves     map[*schema.Node]*leaf
	stage      stage
	pruned     Pruned
	err        error
	untilStop  int // units of work until the next call of Stop

	needs  []Need
	owners []*leaf  // the leaf of each need
	bytes  [][]byte // the supplied bytes of each need
}

// stage is the evidence that the next Step begins with.
type stage uint8

const (
	atStatistics stage = iota
	atIndexes          // page indexes have been supplied
	atBloom            // headers or blocks have been supplied
	atEnd
)

// state is the verdict on a node so far, and the evidence of its leaves.
type state struct {
	none, all vector.Ranges // rows proven not to pass, and to pass
	leaf      *leaf         // of tests; nil until first evaluated
	leaves    []*leaf       // of comparisons and calculations
	probe     *probe        // of tests; nil until a Bloom filter may decide it
}

// Start resets j for a program and a row group. Verdicts that it returned
// before stay valid, needs do not.
func (j *Judge) Start(program *compile.Program, group Group, options Options) {
	if j.states == nil {
		j.states, j.leaves = map[*compile.Node]*state{}, map[*schema.Node]*leaf{}
	}
	clear(j.states)
	clear(j.leaves)
	if j.allRows == nil || j.group.Rows != group.Rows {
		j.allRows = vector.All(group.Rows)
	}
	j.root, j.group, j.options = program.Root, group, options
	j.stage, j.pruned, j.err = atStatistics, Pruned{}, nil
	j.dropNeeds()
	if j.candidates = j.allRows; !group.Wanted.Covers(0, group.Rows) {
		j.candidates = group.Wanted.And(j.allRows)
	}
	j.track(program.Root)
}

// track creates the state of a node and of all nodes below it.
func (j *Judge) track(n *compile.Node) {
	if j.states[n] != nil {
		return
	}
	s := &state{}
	switch n.Op {
	case compile.OpFalse:
		s.none = j.allRows
	case compile.OpTrue:
		s.all = j.allRows
	}
	j.states[n] = s
	for _, a := range n.Args {
		j.track(a)
	}
}

// Rows returns the wanted rows that are not proven to fail.
func (j *Judge) Rows() vector.Ranges { return j.candidates }

// Of returns the rows that are proven not to pass a node of the program, and the
// rows that are proven to pass it.
func (j *Judge) Of(n *compile.Node) (none, all vector.Ranges) {
	if s := j.states[n]; s != nil {
		return s.none, s.all
	}
	return nil, nil
}

// Offsets returns a leaf's offset index, nil unless it was read and is valid.
func (j *Judge) Offsets(leaf *schema.Node) *thrift.OffsetIndex {
	if l := j.leaves[leaf]; l != nil {
		return l.offsets
	}
	return nil
}

// Pruned returns the counts of pruned rows and the invalid parts found so far.
func (j *Judge) Pruned() Pruned { return j.pruned }

// Supply hands over the bytes of a need that the last Step returned. With an err,
// the next Step fails with it. The caller must not change b until the next Step
// has returned. Needs that are not supplied are skipped: they prove nothing.
func (j *Judge) Supply(n Need, b []byte, err error) {
	if err != nil && j.err == nil {
		j.err = err
	}
	if n.at < len(j.bytes) {
		j.bytes[n.at] = b
	}
}

// Step evaluates the program on the evidence supplied so far, and returns needs
// that may decide more rows, none when it is done. The needs belong to j and are
// valid until the next Step. Parts of the file that are invalid are no error:
// Pruned lists them. An error is one of Supply, Group.Chunk or Group.Stop.
func (j *Judge) Step() ([]Need, error) {
	for j.stage != atEnd && j.err == nil {
		switch j.stage {
		case atStatistics:
			j.evaluate(j.root, j.candidates, (*state).judgeByStatistics)
			j.countPruned(&j.pruned.Statistics)
			j.stage = atIndexes
			if !j.options.NoIndex {
				j.requestIndexes()
			}
		case atIndexes:
			j.readIndexes()
			j.evaluate(j.root, j.candidates, (*state).judgeByPages)
			j.countPruned(&j.pruned.PageIndex)
			j.dropNeeds()
			j.stage = atBloom
			if j.options.NoBloom || !j.requestBloom() {
				j.stage = atEnd
			}
		case atBloom:
			j.readHeaders()
			j.evaluate(j.root, j.candidates, (*state).judgeByBloom)
			j.countPruned(&j.pruned.Bloom)
			j.dropNeeds()
			if !j.requestBloom() {
				j.stage = atEnd
			}
		}
		if len(j.needs) > 0 && j.err == nil {
			return j.needs, nil
		}
	}
	j.dropNeeds()
	return nil, j.err
}

// stopInterval is how many nodes, ranges and pages are evaluated between two calls
// of Stop. They take far less than a millisecond.
const stopInterval = 256

// stopped counts units of work and calls Stop when due. It reports whether j has
// failed.
func (j *Judge) stopped(work int) bool {
	if j.untilStop -= work; j.untilStop <= 0 && j.err == nil && j.group.Stop != nil {
		j.untilStop = stopInterval
		j.err = j.group.Stop()
	}
	return j.err != nil
}

// dropNeeds drops the needs of the last step and their bytes.
func (j *Judge) dropNeeds() {
	for _, l := range j.owners {
		clear(l.bloom.blockNeeds)
	}
	clear(j.bytes)
	clear(j.owners)
	j.needs, j.owners, j.bytes = j.needs[:0], j.owners[:0], j.bytes[:0]
}

// request adds a need and returns its index in j.needs. If the range does not lie
// in the file, it returns -1 and an error.
func (j *Judge) request(l *leaf, part MetadataPart, off, length int64) (int, error) {
	if off < int64(len(magic)) || length <= 0 || off > j.group.End || length > j.group.End-off {
		return -1, corrupt.At(-1, part, " of ", length, " bytes at offset ", off, ", of ", j.group.End)
	}
	at := len(j.needs)
	j.needs = append(j.needs, Need{Leaf: l.node, Part: part, Off: off, Len: length, at: at})
	j.owners = append(j.owners, l)
	j.bytes = append(j.bytes, nil)
	return at, nil
}

// supplied returns the bytes of the need at an index, nil if there are none or too
// few.
func (j *Judge) supplied(at int) []byte {
	if at >= 0 && at < len(j.needs) && j.owners[at].chunk.Encrypted {
		return j.bytes[at]
	}
	if at < 0 || at >= len(j.needs) || int64(len(j.bytes[at])) < j.needs[at].Len {
		return nil
	}
	return j.bytes[at][:j.needs[at].Len]
}

// noteInvalid adds a part of l to those that are ignored.
func (j *Judge) noteInvalid(l *leaf, part MetadataPart, err error) {
	j.pruned.Invalid = append(j.pruned.Invalid, Invalid{l.node, part, err})
}

// countPruned adds the rows that this stage pruned to a count, and removes them
// from the candidates.
func (j *Judge) countPruned(rows *int64) {
	left := without(j.candidates, j.states[j.root].none)
	*rows += j.candidates.Len() - left.Len()
	j.candidates = left
}
