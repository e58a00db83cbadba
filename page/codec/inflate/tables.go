package inflate

import "math/bits"

const (
	mostBits    = 15  // of a code
	mostLit     = 286 // symbols of literals and lengths
	mostDist    = 30  // symbols of distances
	unused      = 2   // how many more of both have codes in fixed blocks, but no meaning
	endOfBlock  = 256
	firstLength = 257
	leastLength = 3
)

// A table is indexed by the next bits of the input, litBits or distBits of them. Longer
// codes have tables of their own after it, all of one size: one for each sequence of as
// many bits that begins such a code.
const (
	litBits    = 11
	distBits   = 9
	litDirect  = 1 << litBits
	distDirect = 1 << distBits

	// Each beginning is shared by at least two codes, so there may be 143 and 15 such
	// tables. The sizes are the next powers of two, which save a bounds check.
	litSize  = 1 << 13
	distSize = 1 << 11
)

// Entries of both tables begin with
//
//	bits  0-7   how many bits of input the entry takes
//	      8-11  how many of these are its first code
//
// Those of literals and lengths stand for up to two literals, or up to one and then a length:
//
//	12     set if it is odd
//	13     set if there is a length
//	14-15  how many literals
//	16-23  the first literal
//	24-31  the second, or the length less leastLength
//
// Odd entries stand for one thing that is less common:
//
//	end     the end of the block
//	wrong   a code without a meaning
//	deeper  the first bits of longer codes, whose table starts at the number in bits 16 to 28
//	long    a length to which more bits are added: 21 to 23 say how many, 16 to 20 are their mask
//
// Those of distances, which may also be wrong or deeper, have in other bits:
//
//	16-31  mask of the bits that follow the code, which are added to
//	32-47  the distance
//	60     set if it is odd
const (
	totalMask = 1<<8 - 1
	startMask = 1<<13 - 1 // of the number in a deeper entry, from bit 16 on

	odd       = 1 << 12
	hasLength = 1 << 13
	oneLit    = 1 << 14
	litMask   = 3 << 14

	end    = odd | 1<<31
	wrong  = odd | 1<<30
	deeper = odd | 1<<29
	long   = odd | hasLength

	oddDist    = 1 << 60
	wrongDist  = oddDist | 1<<61
	deeperDist = oddDist | 1<<62
)

// tables are the codes of a block.
type tables struct {
	lit      [litSize]uint32
	dist     [distSize]uint64
	litMore  uint64 // mask of the bits that index the tables after the first
	distMore uint64
	fixed    bool // these are the codes of fixed blocks
}

// Entries of symbols, without their codes.
var (
	litEntries, distEntries = entries()
	lengthEntries           = func() (e [19]uint32) { // the symbol, from bit 16 on
		for i := range e {
			e[i] = uint32(i) << 16
		}
		return e
	}()
)

func entries() (lit [mostLit + unused]uint32, dist [mostDist + unused]uint64) {
	for i := range endOfBlock {
		lit[i] = oneLit | uint32(i)<<16
	}
	lit[endOfBlock] = end
	for i, length := 0, leastLength; i < 28; i++ {
		more := max(i/4-1, 0)
		lit[firstLength+i] = uint32(hasLength | (1<<more-1)<<16 | more<<21 | (length-leastLength)<<24)
		if more > 0 {
			lit[firstLength+i] |= odd
		}
		length += 1 << more
	}
	lit[firstLength+28] = hasLength | (258-leastLength)<<24
	lit[mostLit], lit[mostLit+1] = wrong, wrong
	for i, distance := 0, 1; i < mostDist; i++ {
		more := max(i/2-1, 0)
		dist[i] = uint64(more|(1<<more-1)<<16) | uint64(distance)<<32
		distance += 1 << more
	}
	dist[mostDist], dist[mostDist+1] = wrongDist, wrongDist
	return lit, dist
}

// special is the entries of a table that stand for no symbol.
type special[E uint32 | uint64] struct{ wrong, deeper E }

var (
	litSpecial  = special[uint32]{wrong, deeper}
	distSpecial = special[uint64]{wrongDist, deeperDist}
)

// fill makes a table of the code in which symbol i, with entry entries[i], has lengths[i]
// bits, or is absent if that is 0. The table is indexed by direct bits, the tables of
// longer codes by the bits of rest.
//
// Every sequence of bits must begin with one of the codes, unless the code has no symbol, or one of one bit.
func fill[E uint32 | uint64](table []E, direct uint, lengths []byte, entries []E, k special[E]) (rest uint64, ok bool) {
	var count, next [mostBits + 2]uint16
	var used [mostLit + unused]uint16 // symbols; a short block has few
	m := 0
	for i, n := range lengths {
		if used[m] = uint16(i); n > 0 {
			m++
		}
	}
	for _, i := range used[:m] {
		count[lengths[i]&15]++
	}
	longest, left := uint(0), 1
	for n := uint(1); n <= mostBits; n++ {
		if left = left<<1 - int(count[n]); left < 0 {
			return 0, false
		}
		next[n+1] = next[n] + count[n]
		if count[n] > 0 {
			longest = n
		}
	}
	if left > 0 && longest > 1 {
		return 0, false
	}
	var sorted [mostLit + unused]uint16 // symbols, those with the shortest codes first
	for _, i := range used[:m] {
		n := lengths[i] & 15
		sorted[next[n]] = i
		next[n]++
	}
	if left > 0 {
		for i := range table[:1<<direct] {
			table[i] = k.wrong
			if longest == 1 && i&1 == 0 {
				table[i] = entries[sorted[0]] + 1<<8 + 1
			}
		}
		return 0, true
	}

	// Codes are counted up from their highest bit, but indexed from their lowest: each is
	// once in a table of its own length, in the order of the reversed codes. A table of one
	// bit more is the same table twice, except for the longer codes.
	code, i := 0, 0
	for n := uint(1); n <= direct; n++ {
		code <<= 1
		copy(table[1<<(n-1):1<<n], table)
		for range count[n] {
			table[reverse(code, n)] = entries[sorted[i]] + E(n<<8+n)
			code++
			i++
		}
	}
	if longest <= direct {
		return 0, true
	}
	more, start := longest-direct, 1<<direct
	for n := direct + 1; n <= longest; n++ {
		code <<= 1
		for range count[n] {
			reversed := reverse(code, n)
			first := reversed & (1<<direct - 1)
			if code&(1<<(n-direct)-1) == 0 { // the first of all codes with this beginning
				table[first] = k.deeper | E(start)<<16
				start += 1 << more
			}
			longer := table[table[first]>>16&startMask:][:1<<more]
			for j := reversed >> direct; j < 1<<more; j += 1 << (n - direct) {
				longer[j] = entries[sorted[i]] + E(n<<8+n)
			}
			code++
			i++
		}
	}
	return 1<<more - 1, true
}

func reverse(code int, n uint) int {
	return int(bits.Reverse16(uint16(code)) >> (16 - n&15))
}

// join makes entries stand for two symbols, and for a length with its extra bits, if all
// of these are in the bits of the index.
func (t *tables) join() {
	// The entry that may follow has a smaller index, so it still stands for one symbol.
	for i := litDirect - 1; i >= 0; i-- {
		e := t.lit[i]
		n := e & totalMask
		switch {
		case e&litMask != 0:
			f := added(t.lit[i>>n], i>>n)
			if n += f & totalMask; n > litBits || f&odd != 0 {
				continue
			}
			if f&hasLength == 0 { // a literal
				f = f<<8&^litMask | oneLit
			}
			const keep, from = 0xff<<16 | 0xf<<8 | litMask, 0xff<<24 | hasLength
			t.lit[i] = n | e&keep + f&oneLit | f&from
		case e&long == long:
			if f := added(e, i); f&totalMask <= litBits {
				t.lit[i] = f
			}
		}
	}
}

// added returns the entry of a long length at index bits, with its extra bits added;
// it is no longer odd. It returns other entries unchanged.
func added(e uint32, bits int) uint32 {
	if e&long != long {
		return e
	}
	more := uint32(bits) >> (e & totalMask) & (e >> 16 & 31)
	return e&^(0xff<<16|odd) + more<<24 + e>>21&7
}
