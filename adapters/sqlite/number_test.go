package sqlitescan

import (
	"slices"
	"testing"
)

// TestNumbers sorts texts, which are in order here. Those of one line are equal.
func TestNumbers(t *testing.T) {
	lines := [][]string{
		{"-1e300"}, {"-10", "-10.0", "-010", "-1e1", "-1.0e+01"}, {"-9.5"}, {"-9.49"}, {"-0.001"}, {"0", "-0", "0.00", "000", "0e5"},
		{"1e-300"}, {"0.3", "0.30", "3e-1"}, {"0.30000000000000004"}, {"9", "9."}, {"10"}, {"9223372036854775808", "9.223372036854775808e18"},
		{"18446744073709551615"}, {"1e300"}, {""}, {"-"}, {"0x10"}, {"1/3"}, {"1e99999"}, {"Infinity"}, {"abc"},
	}
	for i, some := range lines {
		for k, others := range lines {
			for _, a := range some {
				for _, b := range others {
					if got := max(-1, min(1, compareNumbers(a, b))); got != max(-1, min(1, i-k)) {
						t.Errorf("%q and %q: %d", a, b, got)
					}
				}
			}
		}
	}
	digits := []string{"18446744073709551615", "2", "9223372036854775808", "-1", "10"}
	slices.SortFunc(digits, compareNumbers)
	if digits[0] != "-1" || digits[4] != "18446744073709551615" {
		t.Error(digits)
	}
}
