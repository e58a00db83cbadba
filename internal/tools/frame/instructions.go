package frame

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
)

// CompressBytes is VPCOMPRESSB.Z, which avo has not, and CompressWords VPCOMPRESSW.Z. to is cleared
// before: else it is waited for.
func CompressBytes(from, k, to Op) { compress("VPCOMPRESSB", from, k, to) }
func CompressWords(from, k, to Op) { compress("VPCOMPRESSW", from, k, to) }

func compress(opcode string, from, k, to Op) {
	VPXORD(to, to, to)
	Instruction(&ir.Instruction{
		Opcode: opcode, Suffixes: []string{"Z"}, ISA: []string{"AVX512VBMI2"},
		Operands: []Op{from, k, to}, Inputs: []Op{from, k, to}, Outputs: []Op{to},
	})
}

// CountBytes is VPOPCNTB, which it has not either.
func CountBytes(from, to Op) {
	Instruction(&ir.Instruction{
		Opcode: "VPOPCNTB", ISA: []string{"AVX512BITALG"},
		Operands: []Op{from, to}, Inputs: []Op{from}, Outputs: []Op{to},
	})
}
