package table

import (
	"strconv"
	"strings"
)

// BarWidth is the width of bars beside numbers.
const BarWidth = 12

// Bar draws a share from 0 to 1 as a bar of at most width characters, in eighths
// of a character. A share that is not 0 shows.
func Bar(share float64, width int) string {
	eighths := int(min(max(share, 0), 1)*float64(width)*8 + 0.5)
	if share > 0 {
		eighths = max(eighths, 1)
	}
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar
}

// Histogram draws counts as columns of one character each, the greatest of them
// at full height. A count that is not 0 shows.
func Histogram(counts []float64) string {
	greatest := 0.0
	for _, n := range counts {
		greatest = max(greatest, n)
	}
	var b strings.Builder
	for _, n := range counts {
		switch {
		case n <= 0:
			b.WriteByte(' ')
		default:
			b.WriteRune([]rune("▁▂▃▄▅▆▇█")[min(int(n/greatest*8), 7)])
		}
	}
	return b.String()
}

// Percent writes a share with three digits, and "<0.1 %" for less than shows.
func Percent(share float64) string {
	switch {
	case share <= 0:
		return "0 %"
	case share < 0.0005:
		return "<0.1 %"
	case share > 0.9995 && share < 1:
		return ">99.9 %"
	}
	digits := 1
	if share >= 0.9995 {
		digits = 0
	}
	return strconv.FormatFloat(share*100, 'f', digits, 64) + " %"
}
