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
