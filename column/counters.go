package column

import "github.com/winnow-scan/winnow/column/vector"

// Bucket is where a data page ended.
type Bucket uint8

const (
	Unread         Bucket = iota // not even its header was asked for
	Undecompressed               // its header was read
	ByStatistics                 // its header's statistics say that no row passes
	ByDictionary                 // it has codes, and no entry of the dictionary passes
	Undecoded                    // its body was decompressed, for its levels
	Decoded                      // values were decoded or tested
	Buckets        = int(Decoded) + 1
)

// Counters tell what became of the pages of a chunk and its bytes. A page is
// counted when the cursor has left it, the dictionary page when it is read.
type Counters struct {
	Pages [Buckets]int64 // data pages. Unread ones are known by an offset index only
	Bytes [Buckets]int64 // of them in the file, with headers; the rest of the chunk is unread

	DictionaryPages int64
	DictionaryBytes int64
	Inflated        int64 // bytes that decompression made
	Redecompressed  int64 // pages that were decompressed once more, for too little was made of them or other rows of theirs were read apart
	Values          int64 // values that were handed out
}

// Add adds those of another cursor.
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

// bytes returns how many bytes of files are in it.
func (c *Counters) bytes() int64 {
	sum := c.DictionaryBytes
	for _, n := range c.Bytes {
		sum += n
	}
	return sum
}

func (c *Counters) page(b Bucket, bytes int64) {
	c.Pages[b]++
	c.Bytes[b] += bytes
}

// owns reports whether a page that starts with a row is the cursor's to count.
func (c *Cursor) owns(first int64) bool {
	own := c.opts.Own
	return own == (vector.Range{}) || own.From <= first && first < own.To
}

// countUnread counts what the cursor never came to, a dictionary that nothing
// needed and gaps between pages too.
func (c *Cursor) countUnread() {
	if c.src.Index != nil {
		for _, x := range c.src.Index[min(c.nextPage, len(c.src.Index)):] {
			if c.owns(x.FirstRow) {
				c.counters.page(Unread, int64(x.CompressedSize))
			}
		}
	}
	if c.opts.Own != (vector.Range{}) {
		return // what is between pages is nobody's
	}
	if rest := c.src.Pages.Length - (c.counters.bytes() - c.countedBefore); rest > 0 {
		c.counters.Bytes[Unread] += rest
	}
}
