// Command asm writes the kernel of encoding/plain with avo. It uses the instruction
// that fetches memory ahead, which Go has not.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	prefetch()
	Generate()
}

// prefetch asks for the cache lines of some bytes.
func prefetch() {
	frame.Kernel("prefetchLines", "func(p *byte, lines int)",
		"asks for lines > 0 cache lines from p on.")
	p, lines := frame.Parameter("p"), frame.Parameter("lines")
	Label("loop")
	PREFETCHT0(Mem{Base: p})
	ADDQ(Imm(64), p)
	DECQ(lines)
	JNZ(LabelRef("loop"))
	RET()
}
