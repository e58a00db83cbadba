package frame

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Parameter loads a parameter into a register of 64 bits.
func Parameter(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// Table makes bytes a constant of the package, eight at a time.
func Table(name string, b []byte) Mem {
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
