//go:build !purego

package bits

import "testing"

// TestFewOfOlderMachines goes without the instructions that this machine may have.
func TestFewOfOlderMachines(t *testing.T) {
	wide, bmi := hasWide, hasBMI
	defer func() { hasWide, hasBMI = wide, bmi }()
	hasWide = false
	t.Run("BMI", TestFew)
	hasBMI = false
	t.Run("none", TestFew)
}

func TestAtLeastOfOlderMachines(t *testing.T) {
	defer func(has bool) { hasAVX2 = has }(hasAVX2)
	hasAVX2 = false
	TestAtLeast(t)
}
