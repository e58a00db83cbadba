package column

import "fmt"

// closed holds counters against what they were before a chunk was opened, and
// has been closed: each of its bytes is in one bucket, and each page, if it is
// known how many there are.
func closed(cur *Cursor, before Counters, src *Source) error {
	n := cur.Counters()
	bytes := n.DictionaryBytes - before.DictionaryBytes
	pages := int64(0)
	for i := range n.Bytes {
		bytes += n.Bytes[i] - before.Bytes[i]
		pages += n.Pages[i] - before.Pages[i]
	}
	if bytes != src.Pages.Length {
		return fmt.Errorf("%d bytes are accounted for, the chunk has %d", bytes, src.Pages.Length)
	}
	if src.Index != nil && pages != int64(len(src.Index)) {
		return fmt.Errorf("%d pages are accounted for, the chunk has %d", pages, len(src.Index))
	}
	return nil
}
