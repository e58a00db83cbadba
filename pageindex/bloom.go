package pageindex

import (
	"errors"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	// headerProbe is how many bytes of a filter are asked for first: more than
	// headers have, which is about 20.
	headerProbe = 64
	// maxHeader is beyond what a header may have.
	maxHeader = 1024
	// maxKeys is how many keys are looked up. Of more, at one wrong answer in a
	// hundred, one is likely to be found that is not there.
	maxKeys = 256
	// firstKeys are looked up first, and four times as many in each round that
	// finds none. A key that is there ends it.
	firstKeys = 16
)

// bloomFilter is what is known of a chunk's Bloom filter.
type bloomFilter struct {
	state  bloomState
	wide   bool           // whether more bytes were asked for as the header
	start  int64          // of the blocks, in the file
	blocks uint32         // how many there are
	seen   []byte         // the first of them, as far as they came with the header
	asked  map[uint32]int // needs of this step, by block
}

type bloomState uint8

const (
	bloomUntouched bloomState = iota
	bloomHeader               // is asked for
	bloomOpen
	bloomUseless // there is none, or it is not right
)

// probe looks up the keys of a test.
type probe struct {
	keys   [][2]uint64 // hashes: two of zero, which has two signs, else the same twice
	missed int         // so many are not there
	next   int         // up to here, they are being looked up
	round  int
	done   bool // nothing is to be proven
}

// askBloom asks for the headers and blocks into which tests may look that are
// not settled. It reports whether there is something to look into.
func (j *Judge) askBloom() bool {
	any := false
	j.visit(j.root, j.rows, func(s *state, n *filter.Node) {
		l := s.leaf
		if n.Op != filter.OpTest || l == nil || l.fault != nil || l.bloom.state == bloomUseless {
			return
		}
		if l.bloom.state == bloomUntouched && (!l.chunk.Footer.Meta.HasBloomFilter || l.chunk.Column.DirtyHighBits(l.bounds.Sure)) {
			l.bloom.state = bloomUseless
			return
		}
		if s.probe == nil {
			s.probe = l.probe(n.Test)
		}
		switch {
		case s.probe.done:
		case l.bloom.state == bloomUntouched:
			j.askHeader(l)
			any = true
		case l.bloom.state == bloomOpen:
			j.askBlocks(l, s.probe)
			any = true
		}
	})
	return any
}

// probe returns the keys of a test, without those outside of the chunk's
// bounds.
func (l *leaf) probe(t *filter.Test) *probe {
	p := &probe{}
	keys, ok := t.Keys()
	if !ok {
		p.done = true
		return p
	}
	var room [2]uint64
	for _, k := range keys {
		if l.outside(k) {
			continue
		}
		hashes, ok := bloom.AppendHashes(room[:0], l.node.Type, k)
		if !ok || len(p.keys) == maxKeys {
			return &probe{done: true}
		}
		p.keys = append(p.keys, [2]uint64{hashes[0], hashes[len(hashes)-1]})
	}
	return p
}

// outside reports whether a value is not within the chunk's bounds.
func (l *leaf) outside(plain []byte) bool {
	c, b := &l.chunk.Column, &l.bounds
	return (b.HasMin || b.HasMax) && c.fits(plain) && !c.isNaN(plain) &&
		(b.HasMin && c.Compare(plain, b.Min) < 0 || b.HasMax && c.Compare(plain, b.Max) > 0)
}

// askHeader asks for the first bytes of a filter.
func (j *Judge) askHeader(l *leaf) {
	m, f := &l.chunk.Footer.Meta, &l.bloom
	f.state = bloomHeader
	most := j.group.End - m.BloomFilterOffset
	if m.HasBloomLength {
		most = min(most, int64(m.BloomFilterLength))
	}
	size := int64(headerProbe)
	if f.wide {
		size = maxHeader
	}
	if _, err := j.ask(l, BloomHeader, m.BloomFilterOffset, min(size, most)); err != nil {
		f.state = bloomUseless
		j.invalid(l, BloomHeader, err)
	}
}

// askBlocks asks for the blocks of the next keys.
func (j *Judge) askBlocks(l *leaf, p *probe) {
	f := &l.bloom
	p.next = min(p.missed+firstKeys<<(2*p.round), len(p.keys))
	p.round++
	for _, hashes := range p.keys[p.missed:p.next] {
		for _, h := range hashes {
			i := bloom.BlockIndex(h, f.blocks)
			at := int64(i) * bloom.BlockSize
			if _, ok := f.asked[i]; ok || at+bloom.BlockSize <= int64(len(f.seen)) {
				continue
			}
			if f.asked == nil {
				f.asked = map[uint32]int{}
			}
			// That the blocks lie in the file was checked with the header.
			f.asked[i], _ = j.ask(l, BloomBlock, f.start+at, bloom.BlockSize)
		}
	}
}

// readHeaders takes the headers that were supplied.
func (j *Judge) readHeaders() {
	for at, l := range j.owners {
		if j.needs[at].Part != BloomHeader {
			continue
		}
		l.bloom.state = bloomUseless
		if b := j.supplied(at); b != nil {
			err := l.openBloom(b, &j.group)
			if errors.Is(err, thrift.ErrShort) && !l.bloom.wide {
				l.bloom.state, l.bloom.wide = bloomUntouched, true
			} else if err != nil {
				j.invalid(l, BloomHeader, corrupt.Within(err, "Bloom filter header", 0))
			}
		}
	}
}

// openBloom reads the header of a filter. Its size must be what the footer says, or
// else leave no room for another block before the next part of the file: with a
// block too few, most keys that are there would be looked up where they are not.
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
	if m.HasBloomLength {
		if length := int64(m.BloomFilterLength); int64(n)+size != length {
			return corrupt.At(-1, "Bloom filter of ", size, " bytes behind a header of ", n, ", of ", length, " by its chunk's metadata")
		}
	} else if next := g.next(m.BloomFilterOffset); size > next-f.start || next-f.start-size >= bloom.BlockSize {
		return corrupt.At(-1, "Bloom filter of ", size, " bytes, with room for ", next-f.start, " before the next part of the file")
	}
	f.state, f.blocks = bloomOpen, uint32(size/bloom.BlockSize)
	f.seen = append([]byte(nil), b[n:min(int64(n)+size, int64(len(b)))]...)
	return nil
}

// byBloom judges a test by the blocks that were supplied.
func (s *state) byBloom(j *Judge, _ *filter.Node, _ vector.Ranges) {
	p := s.probe
	if p == nil || p.done {
		return
	}
	f := &s.leaf.bloom
	if f.state != bloomOpen || p.next == p.missed && len(p.keys) > 0 {
		return
	}
	for _, hashes := range p.keys[p.missed:p.next] {
		for _, h := range hashes {
			block := j.block(f, bloom.BlockIndex(h, f.blocks))
			if block == nil || bloom.Contains(block, h) {
				p.done = true
				return
			}
		}
	}
	if p.missed = p.next; p.missed == len(p.keys) {
		s.none = j.whole
	}
}

// block returns a block of a filter, nil if it was not supplied.
func (j *Judge) block(f *bloomFilter, i uint32) []byte {
	if at := int64(i) * bloom.BlockSize; at+bloom.BlockSize <= int64(len(f.seen)) {
		return f.seen[at : at+bloom.BlockSize]
	}
	if at, ok := f.asked[i]; ok {
		return j.supplied(at)
	}
	return nil
}
