package build

import "github.com/winnow-scan/winnow/column/vector"

// ShownBytes returns the bytes of v's slots, offsets and validity, and of the strings
// that do not fit in their views. Spare capacity, dictionaries and unused parts of
// buffers do not count.
func ShownBytes(v *vector.Vector) int64 {
	slots := int64(v.Len)
	if v.Form == vector.Constant {
		slots = 1
	}
	n := int64(0)
	if len(v.Validity) > 0 {
		n += (slots + 7) / 8
	}
	switch {
	case v.Form == vector.Dictionary:
		n += 4 * slots
	case v.Layout == vector.List || v.Layout == vector.Map:
		n += 4 * (slots + 1)
	case v.Layout == vector.Struct:
	case v.Type.Store() == vector.InViews:
		n += 16 * slots
		for i := range v.Views[:slots] {
			if view := &v.Views[i]; !view.IsInline() {
				n += int64(view.Len())
			}
		}
	case v.Type.Store() == vector.InBools:
		n += (slots + 7) / 8
	default:
		n += slots * int64(v.Type.Width())
	}
	for _, c := range v.Children {
		n += ShownBytes(c)
	}
	return n
}
