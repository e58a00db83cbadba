package inspect

import (
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// total is a sum of numbers that a file claims.
type total struct {
	n       int64
	unknown bool // one of them is not known, negative, or too large
}

func (t *total) add(n int64, known bool) {
	if t.unknown = t.unknown || !known || n < 0 || n > input.MaxRows-t.n; !t.unknown {
		t.n += n
	}
}

func (t *total) number() string { return table.NumberIf(!t.unknown, t.n) }

func (t *total) size() string {
	if t.unknown {
		return ""
	}
	return table.Size(t.n)
}
