//go:build !purego

package zstd

import "golang.org/x/sys/cpu"

// HasKernels reports whether there are kernels for this machine.
func HasKernels() bool { return cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasBMI1 }

// pick returns the kernels if the processor has their instructions.
func pick() way {
	if !HasKernels() {
		return careful()
	}
	return way{"AVX2", fast, new(pairs).four}
}

func fast(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
	sequencesReach(c, b, dst, src, at, lits)
	if b.mixed {
		mixedAVX2(&c.left, &b.from, &tables[0][0], &dst[0], &src[at-leastHeadroom], start(lits))
	} else {
		steadyAVX2(&c.left, &b.from, &tables[0][0], &dst[0], &src[at-leastHeadroom], start(lits))
	}
}

// start returns where b starts, even if it is empty.
func start(b []byte) *byte { return &b[:1][0] }

// For offsets up to 16, the shuffles that repeat so many bytes of 16, and how far apart such 16 bytes may be put.
//
//lint:ignore U1000 assembly reads them
var patterns, steps = repeats()

func repeats() (patterns [17][16]uint8, steps [17]uint8) {
	for offset := 1; offset <= 16; offset++ {
		for i := range 16 {
			patterns[offset][i] = uint8(i % offset)
		}
		steps[offset] = uint8(16 - 16%offset)
	}
	return patterns, steps
}

// How many literals of each stream the kernels decode at a time.
const (
	perRound      = 3
	pairsPerRound = 4
)

func (p *pairs) four(l *literals, src []byte) {
	s := &l.streams
	each := s.out[1] - s.out[0]
	if p.make(&l.table, l.log, len(l.out)) {
		for n := s.rounds(l.log, pairsPerRound); n > 0; n = s.rounds(l.log, pairsPerRound) {
			p.round(l, src, each, n)
			s.advance(pairsPerRound * n)
		}
	}
	for n := s.rounds(l.log, perRound); n > 0; n = s.rounds(l.log, perRound) {
		l.round(src, each, n)
		s.advance(perRound * n)
	}
}

// round decodes n times pairsPerRound literals of each stream, which begin each bytes apart.
func (p *pairs) round(l *literals, src []byte, each, n int) {
	l.literalsReach(src, pairsPerRound, n)
	s := &l.streams
	pairsBMI2(&s.at[0], &s.left[0], &p.symbols[0], 2*l.log, &l.out[s.out[0]], each, &src[0], n)
}

// round decodes n times perRound literals of each stream.
func (l *literals) round(src []byte, each, n int) {
	l.literalsReach(src, perRound, n)
	s := &l.streams
	literalsBMI2(&s.at[0], &s.left[0], &l.table[0], l.log, &l.out[s.out[0]], each, &src[0], n)
}

// rounds returns how many rounds of per literals of each stream can be decoded without a
// check of the ends.
func (s *streams) rounds(log, per int) int {
	n := s.end[0]
	for i := range 4 {
		n = min(n, (s.end[i]-s.out[i])/per, s.left[i]/(per*log))
	}
	return n
}

// advance notes that n literals of each stream are decoded.
func (s *streams) advance(n int) {
	for i := range s.out {
		s.out[i] += n
	}
}
