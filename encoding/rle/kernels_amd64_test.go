//go:build !purego

package rle

import "testing"

// TestLookupOfOtherMachines goes without instructions that this machine may have.
func TestLookupOfOtherMachines(t *testing.T) {
	defer func(narrow, few bool) { hasNarrow, hasFew = narrow, few }(hasNarrow, hasFew)
	run := func(machine string) {
		t.Run(machine, TestLookupTouchesNothingBehind)
		t.Run(machine+", translated", TestTranslateTouchesNothingBehind)
		t.Run(machine+", kept", TestKeptTouchesNothingBehind)
		t.Run(machine+", mixed", TestMixedTouchesNothingBehind)
	}
	hasNarrow = false
	run("no VBMI")
	t.Run("no VBMI, levels", TestLevels)
	t.Run("no VBMI, booleans", TestBools)
	hasFew = false
	run("no AVX-512")
}
