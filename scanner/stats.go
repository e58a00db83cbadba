package scanner

import (
	"sync"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
)

// Stats count what scans did. Several scans may share a Stats, also at the same time. Each
// adds its counters when it ends; columns of several files are added up by their path. The
// fields may be read and changed when all of these scans have ended; until then,
// Snapshot reads them.
type Stats struct {
	mu sync.Mutex // guards the fields below

	Batches int64
	Rows    int64 // returned
	Bytes   int64 // of their values in memory

	Requests       int64         // calls of the source; bytes of a mapping need none
	Ranges         int64         // in these calls, after ranges that lie close to each other were put together
	RequestedBytes int64         // in these ranges
	Duration       time.Duration // of all scans, without the time that hosts spent on batches

	Metadata int64            // bytes of indexes and Bloom filters that were read
	Columns  []ColumnStats    // one for each leaf that a scan reads
	Tests    []ConditionStats // one for each condition of the filter that tested rows
}

// ColumnStats count the pages and bytes of a leaf's column chunks. Pages counts each data
// page by its Fate. Each byte of the chunks is in Bytes, by fate, or in DictionaryBytes.
// Untouched divides those that are Unread by Reason.
//
//	chunks   |        unread, by reason        | header only, …, decoded | dictionary |
type ColumnStats struct {
	Leaf  *schema.Node // of several files: the first one's of the same path
	Pages [Fates]int64 // data pages; unread ones only if an offset index lists them
	Bytes [Fates]int64 // their sizes in the file, with headers; all other bytes of the chunk are Unread

	DictionaryPages int64
	DictionaryBytes int64
	Decompressed    int64 // bytes that decompression made
	Redecompressed  int64 // pages that were decompressed once more: completed, or read for other rows too
	Values          int64 // returned values

	Untouched  [Reasons]PageCount
	Fetched    int64 // bytes of pages that were requested, dictionaries included
	BadIndexes int64 // invalid offset indexes, which were not used
}

// Fate is how far a data page was processed.
type Fate uint8

// They are those of cursors, by name and number.
const (
	Unread               Fate = Fate(column.Unread)               // not even its header was read
	Undecompressed       Fate = Fate(column.Undecompressed)       // its header was read
	RejectedByHeader     Fate = Fate(column.RejectedByHeader)     // its header's statistics say that no row passes
	RejectedByDictionary Fate = Fate(column.RejectedByDictionary) // it has codes, and no entry of the dictionary passes
	Undecoded            Fate = Fate(column.Undecoded)            // its body was decompressed, for its levels
	Decoded              Fate = Fate(column.Decoded)              // values were decoded or tested
	Fates                     = column.Fates
)

// String names the fate.
func (f Fate) String() string {
	return [...]string{"unread", "undecompressed", "rejected_by_header", "rejected_by_dictionary", "undecoded", "decoded"}[f]
}

// PageCount counts data pages and their bytes. Pages of an unread chunk count only if the
// footer has their number.
type PageCount struct{ Pages, Bytes int64 }

func (n *PageCount) add(m PageCount) { n.Pages, n.Bytes = n.Pages+m.Pages, n.Bytes+m.Bytes }

// Reason is why a page was not read.
type Reason uint8

const (
	Unwanted     Reason = iota // its rows are in other splits, not in Rows, after the limit, or were done before a runtime filter first tested the column
	ByStatistics               // of the chunk: no row of it passes
	ByPageIndex
	ByBloom
	ByDictionary
	Proven       // its rows are proven to pass, and the column is not returned
	Dropped      // earlier conditions had dropped all of its rows
	NotDataPages // not a data page: bytes between pages, or a dictionary that was not needed
	Reasons      = int(NotDataPages) + 1
)

// String names the reason.
func (r Reason) String() string {
	return [...]string{"unwanted", "statistics", "page index", "Bloom filter", "dictionary", "proven to pass", "no row left", "besides pages"}[r]
}

// ConditionStats count the rows that a condition of the filter tested.
type ConditionStats struct {
	Condition string
	In, Out   int64 // rows that were tested, and that passed
	Time      time.Duration
}

// Snapshot returns a copy of the counters so far, which the caller owns. Safe for
// concurrent use.
func (s *Stats) Snapshot() *Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := new(Stats)
	c.add(s)
	return c
}

// add adds the counters of one scan.
func (s *Stats) add(other *Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Batches += other.Batches
	s.Rows += other.Rows
	s.Bytes += other.Bytes
	s.Requests += other.Requests
	s.Ranges += other.Ranges
	s.RequestedBytes += other.RequestedBytes
	s.Duration += other.Duration
	s.Metadata += other.Metadata
	s.Columns = mergeColumns(s.Columns, other.Columns)
	s.Tests = mergeTests(s.Tests, other.Tests)
}

// mergeColumns adds each of others to the same column of all, or appends it. That is the one with its
// path, of several in one file the one in its place.
func mergeColumns(all, others []ColumnStats) []ColumnStats {
	type place struct {
		path string
		leaf int
	}
	places, byPath := make(map[place]int, len(all)), make(map[string]int, len(all))
	note := func(path string, c *ColumnStats, at int) {
		places[place{path, c.Leaf.FirstLeaf}] = at
		if _, known := byPath[path]; !known {
			byPath[path] = at
		}
	}
	for i := range all {
		note(all[i].Leaf.String(), &all[i], i)
	}
	for i := range others {
		c := &others[i]
		path := c.Leaf.String()
		at, known := places[place{path, c.Leaf.FirstLeaf}]
		if !known {
			at, known = byPath[path]
			known = known && rootOf(all[at].Leaf) != rootOf(c.Leaf)
		}
		if known {
			all[at].add(c)
			continue
		}
		note(path, c, len(all))
		all = append(all, *c)
	}
	return all
}

// mergeTests adds each of others to the one of all with the same condition, or appends it.
func mergeTests(all, others []ConditionStats) []ConditionStats {
	places := make(map[string]int, len(all))
	for i := range all {
		places[all[i].Condition] = i
	}
	for _, t := range others {
		if at, known := places[t.Condition]; known {
			all[at].In, all[at].Out, all[at].Time = all[at].In+t.In, all[at].Out+t.Out, all[at].Time+t.Time
			continue
		}
		places[t.Condition] = len(all)
		all = append(all, t)
	}
	return all
}

func rootOf(n *schema.Node) *schema.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

func (s *ColumnStats) add(other *ColumnStats) {
	for i := range s.Pages {
		s.Pages[i] += other.Pages[i]
		s.Bytes[i] += other.Bytes[i]
	}
	s.DictionaryPages += other.DictionaryPages
	s.DictionaryBytes += other.DictionaryBytes
	s.Decompressed += other.Decompressed
	s.Redecompressed += other.Redecompressed
	s.Values += other.Values
	for i := range s.Untouched {
		s.Untouched[i].add(other.Untouched[i])
	}
	s.Fetched += other.Fetched
	s.BadIndexes += other.BadIndexes
}
