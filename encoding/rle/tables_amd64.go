//go:build !purego

//lint:file-ignore U1000 assembly reads them

package rle

import "github.com/winnow-scan/winnow/encoding/bitpack"

var table32 = bitpack.Lanes32()

// For each width, which of 64 bytes go to each eight: up to 8 bits those of eight codes, up to 16 those of four.
var bytesOfEights [17][8][8]uint8

// Of eight numbers of 64 bits, by which entries of 16 bytes are looked up: the first halves of eight entries; what more the
// second halves are; four codes, a byte each, in both halves of an entry; and what more a second half is.
var (
	evenEights, eightsPlusOne = [8]uint64{0, 2, 4, 6, 8, 10, 12, 14}, [8]uint64{1, 1, 1, 1, 1, 1, 1, 1}
	codeOfLane                [8][8]uint8
	halfOfEntry               = [8]uint64{1: 8, 3: 8, 5: 8, 7: 8}
)

func init() {
	for width := range bytesOfEights {
		bits := 8 * width
		if width > 8 {
			bits = 4 * width
		}
		for i := range 8 {
			for k := range 8 {
				bytesOfEights[width][i][k] = uint8(min(i*bits/8+k, 63))
			}
			codeOfLane[i] = [8]uint8{uint8(i / 2), 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}
		}
	}
}
