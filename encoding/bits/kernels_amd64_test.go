//go:build !purego

package bits

import "testing"

// TestFewOfOlderMachines goes without the instructions that this machine may have.
func TestFewOfOlderMachines(t *testing.T) {
	defer func(bmi bool) { hasBMI = bmi }(hasBMI)
	hasBMI = false
	TestFew(t)
}

func TestAtLeastOfOlderMachines(t *testing.T) {
	defer func(has bool) { hasAVX2 = has }(hasAVX2)
	hasAVX2 = false
	TestAtLeast(t)
}

func TestCopyAndCountOfOlderMachines(t *testing.T) {
	defer func(avx2, bmi bool) { hasAVX2, hasBMI = avx2, bmi }(hasAVX2, hasBMI)
	hasAVX2 = false
	t.Run("BMI", TestCopyAndCountMany)
	hasBMI = false
	t.Run("none", TestCopyAndCountMany)
}
