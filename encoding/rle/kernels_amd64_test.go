//go:build !purego

package rle

import "testing"

// TestLookupOfOlderMachines goes without the instructions that this machine may have.
func TestLookupOfOlderMachines(t *testing.T) {
	defer func(gather, few, dense bool) { hasGather, hasFew, hasDense = gather, few, dense }(hasGather, hasFew, hasDense)
	run := func(without string) {
		t.Run("no "+without, TestLookupTouchesNothingBehind)
		t.Run("no "+without+", translated", TestTranslateTouchesNothingBehind)
		t.Run("no "+without+", kept", TestKeptTouchesNothingBehind)
		t.Run("no "+without+", mixed", TestMixedTouchesNothingBehind)
	}
	hasGather = false
	run("gathers")
	hasFew, hasDense = false, false
	run("AVX-512")
}
