package pageindex

import (
	"bytes"
	"errors"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	// headerProbe is how many bytes of a filter are requested first. Headers have
	// about 20, so the first blocks often come along.
	headerProbe = 64
	// longHeaderProbe is how many bytes are requested where headerProbe was too few.
	// A header that does not end within them is invalid.
	longHeaderProbe = 1024
	// maxKeys is how many keys a test may have to be looked up. With more, at one
	// false positive in a hundred, some absent key is likely to be reported present.
	maxKeys = 256
	// firstRoundKeys is how many keys the first round looks up. Each further round
	// looks up four times as many. The first key that may be present ends the probe.
	firstRoundKeys = 16
)

// bloomFilter is the state of reading a chunk's Bloom filter.
type bloomFilter struct {
	state      bloomState
	longHeader bool           // longHeaderProbe bytes are requested for the header
	start      int64          // file offset of the first block
	blocks     uint32         // number of blocks
	prefix     []byte         // the first bytes of the blocks, which were read with the header
	blockNeeds map[uint32]int // index in Judge.needs, by block, for this step
}

type bloomState uint8

const (
	bloomUntouched       bloomState = iota
	bloomHeaderRequested            // the header is requested
	bloomOpen
	bloomUnusable // the chunk has none, or it is invalid
)

// probe is the look-up of one test's keys in a Bloom filter, in rounds:
//
//	keys   absent │ this round │ later rounds
//	       [0 absent) [absent end) [end …)
type probe struct {
	keys   [][2]uint64 // hashes: zero has two, one for each sign; others have the same twice
	absent int         // how many are known not to be in the filter
	end    int         // end of this round's keys
	round  int
	done   bool // the filter can prove nothing (more)
}

// requestBloom adds needs for the headers and blocks that undecided tests probe
// next. It reports whether there is anything left to probe, even if all of its
// bytes were read before.
func (j *Judge) requestBloom() bool {
	found := false
	j.visit(j.root, j.candidates, func(s *state, n *compile.Node) {
		l := s.leaf
		if n.Op != compile.OpTest || l == nil || l.fault != nil || l.bloom.state == bloomUnusable {
			return
		}
		if l.bloom.state == bloomUntouched && (!l.chunk.Footer.Meta.HasBloomFilter || l.chunk.Column.DirtyHighBits(l.bounds.Sure)) {
			l.bloom.state = bloomUnusable
			return
		}
		if s.probe == nil {
			s.probe = l.probe(n.Test)
		}
		switch {
		case s.probe.done:
		case l.bloom.state == bloomUntouched:
			j.requestHeader(l)
			found = true
		case l.bloom.state == bloomOpen:
			j.requestBlocks(l, s.probe)
			found = true
		}
	})
	return found
}

// probe returns a probe for the test's keys that lie within the chunk's bounds.
func (l *leaf) probe(t *compile.Test) *probe {
	p := &probe{}
	keys, ok := t.Keys()
	if !ok {
		p.done = true
		return p
	}
	var buf [2]uint64
	for _, k := range keys {
		if l.outside(k) {
			continue
		}
		hashes, ok := bloom.AppendHashes(buf[:0], l.node.Type, k)
		if !ok || len(p.keys) == maxKeys {
			return &probe{done: true}
		}
		p.keys = append(p.keys, [2]uint64{hashes[0], hashes[len(hashes)-1]})
	}
	return p
}

// outside reports whether a value lies outside the chunk's bounds.
func (l *leaf) outside(plain []byte) bool {
	c, b := &l.chunk.Column, &l.bounds
	return (b.HasMin || b.HasMax) && c.fits(plain) && !c.IsNaN(plain) &&
		(b.HasMin && c.Compare(plain, b.Min) < 0 || b.HasMax && c.Compare(plain, b.Max) > 0)
}

// requestHeader adds a need for the first bytes of a filter.
func (j *Judge) requestHeader(l *leaf) {
	m, f := &l.chunk.Footer.Meta, &l.bloom
	f.state = bloomHeaderRequested
	available := j.group.End - m.BloomFilterOffset
	if m.HasBloomLength {
		available = min(available, int64(m.BloomFilterLength))
	}
	size := int64(headerProbe)
	if f.longHeader {
		size = longHeaderProbe
	}
	if l.chunk.Encrypted { // its bits are one module: all or nothing
		size = j.group.next(m.BloomFilterOffset) - m.BloomFilterOffset
		if m.HasBloomLength {
			size = int64(m.BloomFilterLength)
		}
		if size > m.CompressedSize {
			f.state = bloomUnusable // the pages that it could save have fewer bytes
			return
		}
		available = size
	}
	if _, err := j.request(l, BloomHeader, m.BloomFilterOffset, min(size, available)); err != nil {
		f.state = bloomUnusable
		j.noteInvalid(l, BloomHeader, err)
	}
}

// requestBlocks starts the next round of a probe and adds needs for its blocks.
func (j *Judge) requestBlocks(l *leaf, p *probe) {
	f := &l.bloom
	p.end = min(p.absent+firstRoundKeys<<(2*p.round), len(p.keys))
	p.round++
	for _, hashes := range p.keys[p.absent:p.end] {
		for _, h := range hashes {
			i := bloom.BlockIndex(h, f.blocks)
			at := int64(i) * bloom.BlockSize
			if _, ok := f.blockNeeds[i]; ok || at+bloom.BlockSize <= int64(len(f.prefix)) {
				continue
			}
			if f.blockNeeds == nil {
				f.blockNeeds = map[uint32]int{}
			}
			// openBloom checked that all blocks lie in the file.
			f.blockNeeds[i], _ = j.request(l, BloomBlock, f.start+at, bloom.BlockSize)
		}
	}
}

// LikelyBloom returns what undecided tests will probe of Bloom filters if no other evidence
// decides them: headers and the blocks of the first round of keys. So a caller can read these
// together with the needs of the first Step. A filter whose length the footer has shows where its
// blocks are, for a header is shorter than a block:
//
//	| header | block 0 | block 1 | …      length % 32 is the header's
func (j *Judge) LikelyBloom() (needs []Need) {
	if j.options.NoBloom {
		return nil
	}
	j.visit(j.root, j.candidates, func(s *state, n *compile.Node) {
		l := s.leaf
		if n.Op != compile.OpTest || l == nil || l.fault != nil || l.chunk.Encrypted || !l.chunk.Footer.Meta.HasBloomFilter || l.chunk.Column.DirtyHighBits(l.bounds.Sure) {
			return
		}
		p, m := l.probe(n.Test), &l.chunk.Footer.Meta
		if p.done {
			return
		}
		length := int64(headerProbe)
		if m.HasBloomLength {
			length = min(length, int64(m.BloomFilterLength))
		}
		needs = append(needs, Need{Leaf: l.node, Part: BloomHeader, Off: m.BloomFilterOffset, Len: length})
		header, blocks := int64(m.BloomFilterLength)%bloom.BlockSize, int64(m.BloomFilterLength)/bloom.BlockSize
		if !m.HasBloomLength || blocks < 1 {
			return
		}
		for _, hashes := range p.keys[:min(firstRoundKeys, len(p.keys))] {
			for _, h := range hashes {
				at := int64(bloom.BlockIndex(h, uint32(blocks))) * bloom.BlockSize
				needs = append(needs, Need{Leaf: l.node, Part: BloomBlock, Off: m.BloomFilterOffset + header + at, Len: bloom.BlockSize})
			}
		}
	})
	return needs
}

// readHeaders parses the headers that were supplied. One that is longer than the
// bytes read is requested once more, with longHeaderProbe bytes.
func (j *Judge) readHeaders() {
	for at, l := range j.owners {
		if j.needs[at].Part != BloomHeader {
			continue
		}
		l.bloom.state = bloomUnusable
		if b := j.supplied(at); b != nil {
			err := l.openBloom(b, &j.group)
			if errors.Is(err, thrift.ErrShort) && !l.bloom.longHeader {
				l.bloom.state, l.bloom.longHeader = bloomUntouched, true
			} else if err != nil {
				j.noteInvalid(l, BloomHeader, corrupt.Within(err, "Bloom filter header", 0))
			}
		}
	}
}

// openBloom parses the header of a filter. The size it gives must agree with the
// footer's length. Where the footer has none, the filter must end less than one
// block before the next part of the file. With a wrong number of blocks, most
// look-ups would read the wrong block and miss keys that are present.
func (l *leaf) openBloom(b []byte, g *Group) error {
	m, f := &l.chunk.Footer.Meta, &l.bloom
	var h thrift.BloomFilterHeader
	n, err := thrift.ReadBloomFilterHeader(b, &h)
	if err != nil {
		return err
	}
	size := int64(h.NumBytes)
	f.start = m.BloomFilterOffset + int64(n)
	switch {
	case h.Algorithm != 1 || h.Hash != 1 || h.Compression != 1:
		return corrupt.NotSupported("Bloom filter of a kind of later days")
	case size <= 0 || size%bloom.BlockSize != 0:
		return corrupt.At(-1, "Bloom filter of ", size, " bytes, not a multiple of 32")
	case size > g.End-f.start:
		return corrupt.At(-1, "Bloom filter of ", size, " bytes ends beyond ", g.End)
	}
	if l.chunk.Encrypted {
		if size != int64(len(b)-n) {
			return corrupt.At(-1, "Bloom filter of ", size, " bytes, where ", len(b)-n, " follow the header")
		}
	} else if m.HasBloomLength {
		if length := int64(m.BloomFilterLength); int64(n)+size != length {
			return corrupt.At(-1, "Bloom filter of ", size, " bytes behind a header of ", n, ", of ", length, " by its chunk's metadata")
		}
	} else if next := g.next(m.BloomFilterOffset); size > next-f.start || next-f.start-size >= bloom.BlockSize {
		return corrupt.At(-1, "Bloom filter of ", size, " bytes, with room for ", next-f.start, " before the next part of the file")
	}
	f.state, f.blocks = bloomOpen, uint32(size/bloom.BlockSize)
	if f.prefix = b[n:min(int64(n)+size, int64(len(b)))]; !l.chunk.Encrypted {
		f.prefix = bytes.Clone(f.prefix)
	}
	return nil
}

// judgeByBloom evaluates a test by the blocks of this round. Once all keys are
// known to be absent, no row passes.
func (s *state) judgeByBloom(j *Judge, _ *compile.Node, _ vector.Ranges) {
	p := s.probe
	if p == nil || p.done {
		return
	}
	f := &s.leaf.bloom
	if f.state != bloomOpen || p.end == p.absent && len(p.keys) > 0 {
		return
	}
	for _, hashes := range p.keys[p.absent:p.end] {
		for _, h := range hashes {
			block := j.block(f, bloom.BlockIndex(h, f.blocks))
			if block == nil || bloom.Contains(block, h) {
				p.done = true
				return
			}
		}
	}
	if p.absent = p.end; p.absent == len(p.keys) {
		s.none = j.allRows
	}
}

// block returns block i of a filter, nil if it was not supplied.
func (j *Judge) block(f *bloomFilter, i uint32) []byte {
	if at := int64(i) * bloom.BlockSize; at+bloom.BlockSize <= int64(len(f.prefix)) {
		return f.prefix[at : at+bloom.BlockSize]
	}
	if at, ok := f.blockNeeds[i]; ok {
		return j.supplied(at)
	}
	return nil
}
