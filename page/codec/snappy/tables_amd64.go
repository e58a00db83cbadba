//go:build !purego

//lint:file-ignore U1000 assembly reads them

package snappy

// Tables of decodeAVX2 and decodeNearAVX2.
var (
	copies               = newTagTable(32)
	patterns, rows, ends = newPatterns(), newRows(), newEnds()
)

// noByte makes a shuffle give 0.
const noByte = 0x80

// newPatterns returns, for each offset below 32, the shuffles by which 64 bytes of output, in two halves, repeat so many
// bytes: which of them come from the first 16 bytes of the pattern, which from its last 16.
func newPatterns() (patterns [32]struct {
	halves [2]struct{ front, back [32]byte }
}) {
	for offset := 1; offset < 32; offset++ {
		for i := range 64 {
			half := &patterns[offset].halves[i/32]
			front, back := i%offset, noByte
			if front >= 16 {
				front, back = noByte, front-(offset-16)
			}
			half.front[i%32], half.back[i%32] = byte(front), byte(back)
		}
	}
	return patterns
}

// newRows returns, for each offset up to 16, shuffles of the last 16 bytes of output, its history: 16 bytes of it, and
// 64 that repeat its last ones. The 16 from n on are the history after a copy of n bytes.
func newRows() (rows [17][128]byte) {
	for offset := 1; offset <= 16; offset++ {
		for i := range 16 {
			rows[offset][i] = byte(i)
		}
		for i := range 64 {
			rows[offset][16+i] = byte(16 - offset + i%offset)
		}
	}
	return rows
}

// newEnds returns shuffles, from n on, that move history out by n bytes, and 32 after these, what is new in.
func newEnds() [64]byte {
	return bytesOf(func(i int) int {
		if i < 16 || i >= 48 {
			return i % 16
		}
		return noByte
	})
}

// Constants of decodeVBMI2, 64 bytes each: one that repeats, numbers, shuffles and words of two bytes.
var (
	ones, threes, sixties = always(1), always(3), always(60)
	threeBits, sixBits    = always(7), always(63)
	outside, repeats      = always(0xc0), always(0x80)

	numbers = bytesOf(func(i int) int { return i })
	behind  = bytesOf(func(i int) int { return 64 + i })
	// Of a tag's kind: the bits of its length that count, and how many more bytes it takes.
	ofLiterals = bytesOf(func(i int) int { return [4]int{0xff}[i%4] })
	otherBytes = bytesOf(func(i int) int { return [4]int{2, 2, 3, 5}[i%4] })

	oneWords    = bytesOf(func(i int) int { return 1 - i%2 })
	fourthWords = bytesOf(func(i int) int { return [2]int{noByte, 6 + i%2}[i/8%2] })
	eighthWords = bytesOf(func(i int) int { return 14 + i%2 })
	lastWords   = bytesOf(func(i int) int { return 31 - i%2*31 })
)

func bytesOf(at func(i int) int) (b [64]byte) {
	for i := range b {
		b[i] = byte(at(i))
	}
	return b
}

func always(b int) [64]byte { return bytesOf(func(int) int { return b }) }

// numbersWithBit has, for each of five bits, which of the numbers 0 to 31 have it.
var numbersWithBit = [5]uint64{0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000}
