//go:build !purego

//lint:file-ignore U1000 assembly reads them

package bitpack

// Kernels read these here, as those of other packages do tables of their own.
var table32, table64 = Lanes32(), Lanes64()

var (
	// By width, for 16 values in lanes of 16 bits: their bytes, and by what each value is multiplied to move it to the top.
	table8 [9]struct {
		shuffle [16][2]uint8
		factors [8]uint16
	}

	// By width, from 9 on, for 64 codes: the bits of a code; for the first and the last four codes of a lane of 8 bytes,
	// which bytes of two loads they stand in, and where bytes of them begin; where bits 0, 3 and 11 of all codes do.
	quads [mostPermuted - 8]struct {
		limits   [64]uint8
		from, to [2][64]uint8
		fields   [3][64]uint8
	}

	// What else has no room in registers.
	lowBytes, fifteens, sevens = repeat(0x00ff00ff00ff00ff), repeat(0x0f0f0f0f0f0f0f0f), repeat(0x0707070707070707)
	lowThree2, lowThree4       = repeat(0x0007000700070007), repeat(0x0000000700000007)
	powersOf2                  = repeat(0x8040201008040201)
	inOrder                    = [8]uint32{0, 4, 1, 5, 2, 6, 3, 7}
)

func repeat(w uint64) [8]uint64 { return [8]uint64{w, w, w, w, w, w, w, w} }

func init() {
	for width := range table8 {
		t := &table8[width]
		for i := range t.shuffle {
			fillLane(t.shuffle[i][:], i*width, width)
		}
		for i := range t.factors {
			t.factors[i] = uint16(1 << (16 - width - i*width%8))
		}
	}
	for k := range quads {
		q, width := &quads[k], 9+k
		limit, second := 1<<width-1, min(4*width, 8*width-48) // the second of two loads begins there
		for i := range 64 {
			q.limits[i] = uint8(limit >> (i % 2 * 8))
			for four := range 2 {
				bit := 4 * four * width
				from := i/8*width + bit/8 + i%8
				if i >= 32 {
					from -= second
				}
				q.from[four][i] = uint8(from)
				q.to[four][i] = uint8(bit%8 + i%8/2*width + i%2*8)
			}
			for k, bit := range []int{0, 3, 11} {
				q.fields[k][i] = uint8(i/4%2*4*width%8 + i%4*width + bit)
			}
		}
	}
}
