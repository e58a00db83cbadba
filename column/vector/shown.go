package vector

// ShownBytes returns the bytes of v's slots, offsets and validity, and of the strings
// that do not fit in their views. Spare capacity, dictionaries and unused parts of
// buffers do not count.
func (v *Vector) ShownBytes() int64 {
	slots := int64(v.Len)
	if v.Form == Constant {
		slots = 1
	}
	n := int64(0)
	if v.Validity != nil {
		n += (slots + 7) / 8
	}
	switch {
	case v.Form == Dictionary:
		n += 4 * slots
	case v.Layout == List || v.Layout == Map:
		n += 4 * (slots + 1)
	case v.Layout == Struct:
	case v.Type.Store() == InViews:
		n += 16 * slots
		for i := range v.Views[:slots] {
			if view := &v.Views[i]; !view.IsInline() {
				n += int64(view.Len())
			}
		}
	case v.Type.Store() == InBools:
		n += (slots + 7) / 8
	default:
		n += slots * int64(v.Type.Width())
	}
	for _, c := range v.Children {
		n += c.ShownBytes()
	}
	return n
}
