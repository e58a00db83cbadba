//go:build !purego

package zstd

import "golang.org/x/sys/cpu"

// pick returns the kernels in assembly where they run.
func pick() way {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 || !cpu.X86.HasBMI1 {
		return goWay()
	}
	return way{"AVX2", fast, four}
}

func fast(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
	if b.mixed {
		mixed(c, b, tables, dst, src, at, lits)
	} else {
		steady(c, b, tables, dst, src, at, lits)
	}
}

func steady(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
	steadyAVX2(&c.left, &b.from, &tables[0][0], &dst[0], &src[at-leastHeadroom], start(lits))
}

func mixed(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
	mixedAVX2(&c.left, &b.from, &tables[0][0], &dst[0], &src[at-leastHeadroom], start(lits))
}

// start returns where b starts, even if it is empty.
func start(b []byte) *byte { return &b[:1][0] }

// perRound is how many literals of each stream the kernel decodes at a time.
const perRound = 3

func four(s *streams, table *[1 << mostBits]uint16, log int, dst, src []byte) {
	for n := s.rounds(log, perRound); n > 0; n = s.rounds(log, perRound) {
		literalsBMI2(&s.at[0], &s.left[0], &table[0], log, &dst[s.out[0]], s.out[1]-s.out[0], &src[0], n)
		for i := range 4 {
			s.out[i] += perRound * n
		}
	}
}
