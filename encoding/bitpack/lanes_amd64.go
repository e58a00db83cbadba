//go:build !purego

package bitpack

// Lanes32 returns the table for eight lanes of 32 bits, 64 bytes for each width: 32 say which bytes of a load go to each
// lane, 0x80 for none, and 32 by how many bits each lane is then shifted down. Four values come from each 16 bytes.
func Lanes32() (table [33 * 64]byte) {
	fillLanes(table[:], 4, func(i, width int) int { return i/4*(4*width%8) + i%4*width })
	return table
}

// Lanes64 is Lanes32 for lanes of 64 bits, 128 bytes for each width. Two values come from each 16 bytes.
func Lanes64() (table [65 * 128]byte) {
	fillLanes(table[:], 8, func(i, width int) int { return i/2*2*width%8 + i%2*width })
	return table
}

// fillLanes fills a table for lanes of so many bytes, with values that begin at bit at(i, width) of their load.
func fillLanes(table []byte, lane int, at func(i, width int) int) {
	for width := 0; len(table) > 0; width++ {
		shuffle, shift := table[:8*lane], table[8*lane:16*lane]
		for i := range 8 {
			bit := at(i, width)
			fillLane(shuffle[i*lane:][:lane], bit, width)
			shift[i*lane] = byte(bit % 8)
		}
		table = table[16*lane:]
	}
}

// fillLane fills a lane of a shuffle of 16 bytes with the bytes of a value that begins at a bit.
func fillLane(lane []byte, bit, width int) {
	first, last := bit/8, min((bit+width-1)/8, 15)
	for k := range lane {
		lane[k] = 0x80
		if width > 0 && first+k <= last {
			lane[k] = byte(first + k)
		}
	}
}
