//go:build !purego

package rle

import "testing"

// TestLookupOfOtherMachines goes without instructions that this machine may have, and with gathers where these are
// not what takes the least time.
func TestLookupOfOtherMachines(t *testing.T) {
	defer func(gather, narrow, few, dense bool) {
		hasGather, hasNarrow, hasFew, hasDense = gather, narrow, few, dense
	}(hasGather, hasNarrow, hasFew, hasDense)
	run := func(machine string) {
		t.Run(machine, TestLookupTouchesNothingBehind)
		t.Run(machine+", translated", TestTranslateTouchesNothingBehind)
		t.Run(machine+", kept", TestKeptTouchesNothingBehind)
		t.Run(machine+", mixed", TestMixedTouchesNothingBehind)
	}
	hasGather = !hasGather && hasDense
	run("other gathers")
	hasGather, hasNarrow = false, false
	run("no VBMI")
	t.Run("no VBMI, levels", TestLevels)
	t.Run("no VBMI, booleans", TestBools)
	hasFew, hasDense = false, false
	run("no AVX-512")
}
