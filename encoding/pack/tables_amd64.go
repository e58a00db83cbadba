//go:build !purego

//lint:file-ignore U1000 assembly reads them

package pack

// For each pattern of bits, which parts of 32 bytes it moves to the front: of values of 4 bytes that are one each (and of
// one byte, 8 at a time), of 8 bytes two, of 16 bytes four.
var (
	bytesOfBits [256][8]uint8
	rowsOf8     [16][8]uint32
	rowsOf16    [4][8]uint32
)

// What kernels that fetch have in registers.
var numbers, eachTwice, twoInTurn [64]uint8

func init() {
	fillRows(bytesOfBits[:], 1)
	fillRows(rowsOf8[:], 2)
	fillRows(rowsOf16[:], 4)
	for i := range 64 {
		numbers[i], eachTwice[i], twoInTurn[i] = uint8(i), uint8(i/2), uint8(i/2+i%2*64)
	}
}

func fillRows[T uint8 | uint32](rows [][8]T, parts int) {
	for pattern := range rows {
		at := 0
		for part := range 8 {
			if pattern>>(part/parts)&1 != 0 {
				rows[pattern][at] = T(part)
				at++
			}
		}
	}
}
