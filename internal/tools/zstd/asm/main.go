// Command asm writes the kernels of page/codec/zstd with avo.
//
// A sequence costs instructions more than anything else: lengths and offsets are
// short. And its bits cannot be told from those of the next before three states
// are looked up, added, shifted and masked. So
//
//   - one load brings all bits of a sequence, which is left to others where it
//     has more than there are; one byte of each state says how many it has;
//   - the next states are found before anything else is done, for what waits for
//     them is what the loop waits for, and processors take old instructions first.
//     A sequence that then breaks a bound cannot be given back, and is held;
//   - fields of states are loaded one by one, for there are more units for
//     loads in a processor than for shifts;
//   - of literals 16 bytes are moved, of a match 32, however many there are; what
//     is longer, or a match from nearer than 16, takes a branch;
//   - which of the last offsets it is takes no branch; whether it is one of them
//     takes one, but not in the kernel for where that cannot be foreseen.
//
// Of literals, four streams are decoded side by side. Each literal waits for the
// one before, but not for a load of bits: that is asked for two literals early.
// Where codes are short two are looked up at once, which halves the waiting.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	sequences()
	literals()
	Generate()
}
