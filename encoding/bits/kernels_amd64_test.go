//go:build !purego

package bits

import "testing"

// TestFewOfOlderMachines goes without the instructions that this machine may have.
func TestFewOfOlderMachines(t *testing.T) {
	places, bmi := hasPlaces, hasBMI
	defer func() { hasPlaces, hasBMI = places, bmi }()
	hasPlaces = false
	t.Run("BMI", TestFew)
	hasBMI = false
	t.Run("none", TestFew)
}

func TestAtLeastOfOlderMachines(t *testing.T) {
	defer func(has bool) { hasAVX2 = has }(hasAVX2)
	hasAVX2 = false
	TestAtLeast(t)
}

func TestCopyAndCountOfOlderMachines(t *testing.T) {
	avx2, counts, bmi := hasAVX2, hasCounts, hasBMI
	defer func() { hasAVX2, hasCounts, hasBMI = avx2, counts, bmi }()
	hasAVX2, hasCounts = false, false
	t.Run("BMI", TestCopyAndCountMany)
	hasBMI = false
	t.Run("none", TestCopyAndCountMany)
}
