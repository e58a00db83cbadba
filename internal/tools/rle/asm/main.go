// Command asm writes the kernels of encoding/rle with avo.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("!purego")
	codes()
	narrowCodes("codeBytesBMI2", 1, inBytes)
	narrowCodes("codeBytesVBMI", 1, inLanes)
	narrowCodes("codeWordsVBMI", 2, inLanes)
	packedCodes("packedBytesVBMI", 1)
	packedCodes("packedWordsVBMI", 2)
	largestCode("largestByteAVX512", 1)
	largestCode("largestWordAVX512", 2)
	keepNarrow("keepBytesVBMI2", 1)
	keepNarrow("keepWordsVBMI2", 2)
	for _, entry := range []int{4, 8, 16} {
		lookup(fmt.Sprintf("lookup%dAVX2", entry), entry, lookedUp)
	}
	for _, entry := range []int{4, 8} {
		lookup(fmt.Sprintf("lookupFew%dAVX512", entry), entry, permuted)
		translate(fmt.Sprintf("translateFew%dAVX512", entry), entry, permuted)
	}
	for _, entry := range []int{4, 8, 16} {
		translate(fmt.Sprintf("translate%dAVX2", entry), entry, lookedUp)
		lookupNarrow(fmt.Sprintf("lookupBytesFew%dAVX512", entry), entry, 1, permuted)
		lookupNarrow(fmt.Sprintf("lookupBytes%dAVX2", entry), entry, 1, lookedUp)
		if entry < 16 {
			lookupNarrow(fmt.Sprintf("lookupWords%dAVX2", entry), entry, 2, lookedUp)
		}
	}
	Generate()
}
