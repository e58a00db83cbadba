// Command asm writes the kernels of page/codec/zstd with avo.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	sequences()
	literals()
	Generate()
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

func data(name string, b []byte) Mem {
	mem := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < len(b); i += 8 {
		var w uint64
		for j := 7; j >= 0; j-- {
			w = w<<8 | uint64(b[i+j])
		}
		DATA(i, U64(w))
	}
	return mem
}
