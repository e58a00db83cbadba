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

// Variable returns a variable of the package.
func Variable(name string) Mem { return Mem{Symbol: Symbol{Name: "·" + name}, Base: reg.StaticBase} }

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

// Bytes makes a Table of 64 bytes.
func Bytes(name string, at func(i int) byte) Mem {
	b := make([]byte, 64)
	for i := range b {
		b[i] = at(i)
	}
	return Table(name, b)
}
