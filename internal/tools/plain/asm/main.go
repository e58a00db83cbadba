// Command asm writes the kernel of encoding/plain with avo. It uses the instruction
// that fetches memory ahead, which Go has not.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("!purego")
	prefetch()
	Generate()
}

// prefetch asks for the cache lines of some bytes.
func prefetch() {
	TEXT("prefetchLines", NOSPLIT, "func(p *byte, lines int)")
	Pragma("noescape")
	Doc("prefetchLines asks for lines > 0 cache lines from p on.")
	p, lines := GP64(), GP64()
	Load(Param("p"), p)
	Load(Param("lines"), lines)
	Label("loop")
	PREFETCHT0(Mem{Base: p})
	ADDQ(Imm(64), p)
	DECQ(lines)
	JNZ(LabelRef("loop"))
	RET()
}
