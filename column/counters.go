package column

import "github.com/winnow-scan/winnow/column/vector"

// Fate is how far the work on a data page went.
type Fate uint8

const (
	Unread               Fate = iota // not even its header was read
	Undecompressed                   // its header was read
	RejectedByHeader                 // its header's statistics say that no row passes
	RejectedByDictionary             // it has codes, and no entry of the dictionary passes
	Undecoded                        // its body was decompressed, for its levels
	Decoded                          // values were decoded or tested
	Fates                = int(Decoded) + 1
)

// Counters count the pages of a chunk and their bytes, each by one Fate. A page is
// counted when the cursor has left it, the dictionary page when it is read.
type Counters struct {
	Pages [Fates]int64 // data pages; unread ones only if an offset index lists them
	Bytes [Fates]int64 // their sizes in the file, with headers; all other bytes of the chunk are Unread

	DictionaryPages int64
	DictionaryBytes int64
	Inflated        int64 // bytes that decompression made
	Redecompressed  int64 // pages that were decompressed once more: completed, or read by cursors of other rows too
	Values          int64 // values that were handed out
}

// Add adds the counters of another chunk.
func (c *Counters) Add(o *Counters) {
	for i := range c.Pages {
		c.Pages[i] += o.Pages[i]
		c.Bytes[i] += o.Bytes[i]
	}
	c.DictionaryPages += o.DictionaryPages
	c.DictionaryBytes += o.DictionaryBytes
	c.Inflated += o.Inflated
	c.Redecompressed += o.Redecompressed
	c.Values += o.Values
}

// bytes returns how many bytes of files are counted.
func (c *Counters) bytes() int64 {
	sum := c.DictionaryBytes
	for _, n := range c.Bytes {
		sum += n
	}
	return sum
}

func (c *Counters) page(f Fate, bytes int64) {
	c.Pages[f]++
	c.Bytes[f] += bytes
}

// owns reports whether the cursor counts pages that start with row first.
func (c *Cursor) owns(first int64) bool {
	own := c.opts.Own
	return own == (vector.Range{}) || own.From <= first && first < own.To
}

// countUnread counts the rest of the chunk as unread: pages that were not listed, a
// dictionary that nothing needed, gaps between pages.
func (c *Cursor) countUnread() {
	if c.src.Index != nil {
		for _, x := range c.src.Index[min(c.nextPage, len(c.src.Index)):] {
			if c.owns(x.FirstRow) {
				c.counters.page(Unread, int64(x.CompressedSize))
			}
		}
	}
	if c.opts.Own != (vector.Range{}) {
		return // cursors of parts of the chunk count no gaps between pages
	}
	if rest := c.src.Pages.Length - c.counters.bytes(); rest > 0 {
		c.counters.Bytes[Unread] += rest
	}
}
