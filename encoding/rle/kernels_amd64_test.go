//go:build !purego

package rle

import "testing"

// TestLookupOfOtherMachines goes without instructions that this machine may have.
func TestLookupOfOtherMachines(t *testing.T) {
	defer func(narrow, few, dense bool) { hasNarrow, hasFew, hasDense = narrow, few, dense }(hasNarrow, hasFew, hasDense)
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
	hasFew, hasDense = false, false
	run("no AVX-512")
}
