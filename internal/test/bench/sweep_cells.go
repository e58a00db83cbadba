package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Dimensions of a sweep's cells, in the order of their names.
const (
	ofType = iota
	ofEncoding
	ofCodec
	ofNulls
	ofPage
	ofGroup
	ofPredicate
	ofResult
	ofOrder
	dimensions
)

// A sweepCell is one value of each dimension, "" where none is chosen: a pair has two.
type sweepCell [dimensions]string

func (c *sweepCell) String() string { return strings.Join(c[:], "/") }

// differs returns in how many of the dimensions that both have chosen two cells differ.
func (c *sweepCell) differs(o *sweepCell) (n int) {
	for i := range c {
		if c[i] != o[i] && c[i] != "" && o[i] != "" {
			n++
		}
	}
	return n
}

// A sweepSpace is what cells are chosen from.
type sweepSpace struct {
	types   map[string]*sweepType
	choices [dimensions][]string
}

func newSweepSpace() *sweepSpace {
	s := &sweepSpace{types: map[string]*sweepType{}, choices: [dimensions][]string{
		ofEncoding:  {"plain", "dictionary", "delta", "delta-length", "delta-bytes", "split"},
		ofCodec:     {"none", "snappy", "zstd", "gzip", "lz4", "brotli"},
		ofNulls:     {"null0", "null5", "null90"}, // percents
		ofPage:      {"page1000", "page20000", "pageall"},
		ofGroup:     {"group500", "group20000", "groupall"},
		ofPredicate: {"none", "eq", "range1", "half", "in", "prefix", "contains", "notnull", "eqother"}, // the last: = on another column
		ofResult:    {"count", "own", "other", "eight"},                                                 // columns that are returned: itself, one of its kind, eight
		ofOrder:     {"sorted", "clustered", "scattered"},
	}}
	for _, t := range sweepTypes() {
		s.types[t.name] = &t
		s.choices[ofType] = append(s.choices[ofType], t.name)
	}
	return s
}

// fits reports whether the values of c that are chosen go together.
func (s *sweepSpace) fits(c *sweepCell) bool {
	predicate := c[ofPredicate]
	if t := s.types[c[ofType]]; t != nil {
		searches, ranges := predicate == "prefix" || predicate == "contains", predicate == "range1" || predicate == "half" || predicate == "in"
		if e := c[ofEncoding]; e != "" && !slices.Contains(gen.EncodingsOf(t.node.Type), sweepEncoding(e)) ||
			searches && t.node.Type != gen.ByteArray || ranges && t.node.Type == gen.Boolean {
			return false
		}
	}
	unread := c[ofResult] == "count" && (predicate == "none" || predicate == "eqother")
	long := c[ofGroup] == "group500" && c[ofPage] != "" && c[ofPage] != "pageall" || c[ofGroup] == "group20000" && c[ofPage] == "page20000"
	return !unread && !long
}

// complete chooses at random what is not yet chosen of c. It reports whether there is such a cell.
func (s *sweepSpace) complete(c *sweepCell, r *rand.Rand) bool {
	next := slices.Index(c[:], "")
	if !s.fits(c) || next < 0 {
		return s.fits(c)
	}
	for _, i := range r.Perm(len(s.choices[next])) {
		c[next] = s.choices[next][i]
		if s.complete(c, r) {
			return true
		}
	}
	c[next] = ""
	return false
}

// pairs returns all pairs of values, those too that do not go together.
func (s *sweepSpace) pairs() (pairs []sweepCell) {
	for i := range dimensions {
		for k := range i {
			for _, a := range s.choices[i] {
				for _, b := range s.choices[k] {
					var p sweepCell
					p[i], p[k] = a, b
					pairs = append(pairs, p)
				}
			}
		}
	}
	return pairs
}

// tries is of how many random cells the one that has most new pairs is drawn.
const tries = 20

// draw draws n cells by a seed: first those that together have each pair of values that go
// together, then neighbours of cells drawn so far, which differ in one dimension.
func (s *sweepSpace) draw(seed uint64, n int) (cells []sweepCell) {
	r := rand.New(rand.NewPCG(seed, dimensions))
	open := s.pairs()
	for len(open) > 0 {
		var best, rest []sweepCell
		for range tries {
			c := open[0]
			if !s.complete(&c, r) {
				rest = open[1:]
				break
			}
			left := slices.DeleteFunc(slices.Clone(open), func(p sweepCell) bool { return p.differs(&c) == 0 })
			if best == nil || len(left) < len(rest) {
				best, rest = []sweepCell{c}, left
			}
		}
		cells, open = append(cells, best...), rest
	}
	r.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
	for len(cells) < n {
		c, d := cells[r.IntN(len(cells))], r.IntN(dimensions)
		c[d] = s.choices[d][r.IntN(len(s.choices[d]))]
		if s.fits(&c) && !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	return cells[:n]
}

// named returns the cells that have a text in their names, or the one that it names in full, drawn
// or not.
func (s *sweepSpace) named(cells []sweepCell, text string) ([]sweepCell, error) {
	var c sweepCell
	copy(c[:], strings.Split(text, "/"))
	whole := c.String() == text && s.fits(&c)
	for i, list := range s.choices {
		whole = whole && slices.Contains(list, c[i])
	}
	if whole {
		return []sweepCell{c}, nil
	}
	cells = slices.DeleteFunc(cells, func(c sweepCell) bool { return !strings.Contains(c.String(), text) })
	if len(cells) == 0 {
		return nil, fmt.Errorf("--only: no cell has %q in its name", text)
	}
	return cells, nil
}
