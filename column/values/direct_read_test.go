package values

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/plain"
)

// Values that are read in place end with their page.
func TestDirectReadsEndWithThePage(t *testing.T) {
	if !plain.InPlace {
		t.Skip("values in memory are other bytes")
	}
	read := int64(0)
	d := DirectRead{At: 100, End: 124, ReadAt: func(dst []byte, from int64) error {
		read = from + int64(len(dst))
		return nil
	}}
	var dst vector.Vector
	build.Reset(&dst, vector.Type{Physical: vector.Int64})
	build.Extend(&dst, 3)
	d.Seek(1)
	if err := d.Next(&dst, 1, 2); err != nil || read != 124 {
		t.Error(err, read)
	}
	d.Seek(1)
	if err := d.Next(&dst, 0, 3); err != errNotInBody || read != 124 {
		t.Error(err, read)
	}
}
