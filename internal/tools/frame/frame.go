package frame

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernel begins a function that keeps none of its pointers. Its comment says what it does.
func Kernel(name, signature string, does ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	does[0] = name + " " + does[0]
	Doc(does...)
}

// Parameter loads a parameter into a register of 64 bits.
func Parameter(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// Address returns where a parameter is, for instructions that load it into vectors.
func Address(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// End stores the results of a function, and ends it.
func End(results ...reg.Register) {
	for i, r := range results {
		Store(r, ReturnIndex(i))
	}
	RET()
}

// Variable returns a variable of the package. Tables are variables, which Go fills at the start: in assembly they would be
// lines for every eight bytes.
func Variable(name string) Mem { return Mem{Symbol: Symbol{Name: "·" + name}, Base: reg.StaticBase} }
