package footer

import (
	"math"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// CheckRange returns an error unless r lies between a file's leading magic and its footer,
// which starts at start.
func CheckRange(r fetch.Range, start int64) error {
	switch {
	case r.Off < 0:
		return corrupt.At(-1, "offset ", r.Off)
	case r.Len < 0:
		return corrupt.At(-1, "length ", r.Len)
	case r.Off < MagicSize:
		return corrupt.At(-1, "offset ", r.Off, " lies in the file's leading magic")
	case r.Off > start || r.Len > start-r.Off:
		return corrupt.At(-1, "offset ", r.Off, " and length ", r.Len, " reach beyond the footer's start at ", start)
	case r.Len > math.MaxInt: // on 32-bit machines
		return corrupt.NotSupported("length ", r.Len, " on this machine")
	}
	return nil
}

// ResolveCRS replaces reference systems that name a property of the file, projjson:NAME, by
// its value.
func ResolveCRS(s *schema.Schema, of thrift.KeyValues) {
	for _, leaf := range s.Leaves() {
		if name, is := strings.CutPrefix(leaf.CRS, "projjson:"); is {
			properties, _ := of.Append(nil) // a property that is broken is as good as absent
			for _, p := range properties {
				if p.Key == name && p.HasValue {
					leaf.CRS = p.Value
				}
			}
		}
	}
}
