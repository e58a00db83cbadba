package footer

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/stored"
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

// Complete adds to a schema what the file's properties say of its columns: the reference systems that they name as
// projjson:NAME, and the Arrow schema. Notes say what of that is ignored.
func Complete(s *schema.Schema, of thrift.KeyValues) (notes []string) {
	properties, _ := of.Append(nil) // one that is broken is as good as absent
	for _, leaf := range s.Leaves() {
		if name, is := strings.CutPrefix(leaf.CRS, "projjson:"); is {
			leaf.CRS = cmp.Or(valueOf(properties, name), leaf.CRS)
		}
	}
	if text := valueOf(properties, stored.Key); text != "" {
		notes = stored.Restore(s, text)
	}
	return notes
}

// valueOf returns the first value of a key, "" if it has none.
func valueOf(properties []thrift.KeyValue, key string) string {
	i := slices.IndexFunc(properties, func(p thrift.KeyValue) bool { return p.Key == key && p.HasValue })
	if i < 0 {
		return ""
	}
	return properties[i].Value
}
