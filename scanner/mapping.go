package scanner

import (
	"errors"
	"runtime"
	"runtime/debug"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Uncompressed pages are decoded from a mapping of the file, if its source is a
// fetch.Viewer: a read would be a needless copy. Compressed pages and metadata are read.
//
// Code that decodes pages runs in catchFaults, which turns the faults of a mapping
// whose file fails into errors. Returned batches never point into a mapping.

// mapping is a scan's mapping of the file.
type mapping struct {
	allowed bool         // the scan may map the file
	views   *fetch.Views // of the file; nil before the first use
	read    int64        // bytes that the scan reads since a mapping would cost more
}

// close ends the scan's use of the mapping. No view of it may be used afterwards.
func (m *mapping) close() {
	if m.views != nil {
		m.views.Close()
		m.views = nil
	}
}

// usesMapping reports whether a chunk's pages may be decoded from the mapping.
func (s *scan) usesMapping(c *Chunk) bool {
	return s.mapping.allowed && s.queue.prefetcher == nil && c.Meta.Codec == thrift.CodecUncompressed
}

// readFirst is how many bytes a scan reads before it maps the file, if all its columns want as many, and
// leastRead how many a read counts for. A new mapping, its faults and its end cost as much: on Zen 4 with
// Linux 6.18, a scan of two columns that reads 66 KB takes 0.65 of the time without one, and 0.76 with memory
// that no scan has left behind. Scans of 500 KB in chunks of 16 KB take as long with 256 KiB, 128 KiB or 32 KiB.
const readFirst, leastRead = 128 << 10, 4 << 10

// mappedViews returns the views of a chunk's pages, of which so many bytes are wanted, nil if
// the pages must be read, or are so few that this costs less.
func (s *scan) mappedViews(c *Chunk, wanted int64) *fetch.Views {
	if !s.usesMapping(c) {
		return nil
	}
	if s.mapping.views == nil {
		wanted = max(wanted, leastRead)
		if s.mapping.read+wanted*int64(len(s.leaves)) <= readFirst && !s.queue.reread {
			s.mapping.read += wanted
			return nil
		}
		s.mapping.views = s.file.Source().(fetch.Viewer).Views()
		s.mapping.allowed = s.mapping.views != nil
	}
	return s.mapping.views
}

// directPageBytes is the page size from which on a page's values are read directly to their
// place in the batch, each page by a read of its own. On a Xeon with AVX-512 and Linux 6.18,
// whole scans take as long for pages of 16 KiB as by reads of 1 MiB and a copy, 0.76 of the
// time for pages of 64 KiB, and 1.15 for 8 KiB.
const directPageBytes = 16 << 10

// smallChunk is the size below which chunks of one or a few pages are mapped if row groups are many: each
// takes two reads, or a read and a copy of what was read ahead, and a mapping two faults. On Zen 4, mapped
// chunks of 32 to 100 KB take 0.84 to 0.96 of the time, those of 130 KB up to 1.04, of 600 KB 1.18.
const smallChunk = 8 * directPageBytes

// fewPages is the number of smaller pages up to which a copy costs less than a new mapping, which
// takes some 10 µs.
const fewPages = 16

// readsDirectly reports whether a chunk that could be mapped is read page by page. When
// all values are wanted, such reads may cost less than a new mapping. The mapping
// pays for later scans, so only the first scan of a file reads directly. It maps chunks of
// many pages that are too small for reads of their own, as far as the footer counts pages.
// Codes of a dictionary are few bytes for many batches, after each of which a mapping is looked at:
// reading them takes 0.76 to 0.93 of the time.
//
// What a new mapping costs is the kernel's. On Zen 4 with Linux 6.18 and ext4, a whole
// scan that maps instead takes 1.19 times as long for UUID, 1.05 for DECIMAL(38) with
// nulls, 1.00 for DOUBLE or strings, 0.89 for three numbers, 0.87 for INT32 and 0.85 for
// 14 columns. Where other kernels are no different, direct reads should go.
func (r *unitRun) readsDirectly(l *leaf) bool {
	s := r.scan
	if _, untested := r.state.(*untested); !untested {
		return false
	}
	if l.chunk.Encrypted() || !s.usesMapping(l.chunk) || s.queue.reread || r.needsOffsets() || r.unit.split != nil || !l.needsValues {
		return false
	}
	meta, pages := &l.chunk.Meta, int64(0)
	if size := meta.UncompressedSize; size >= directPageBytes && size < smallChunk && len(s.file.footer.RowGroups) > fewPages {
		return false
	}
	for _, e := range meta.Encodings {
		if e != thrift.EncodingPlain && e != thrift.EncodingRLE && e != thrift.EncodingBitPacked && !e.IsDictionary() {
			return false
		}
	}
	for _, e := range meta.EncodingStats {
		pages += int64(e.Count)
	}
	return pages <= fewPages || pages*directPageBytes <= meta.UncompressedSize
}

// catchFaults runs work, which may use the mapping, and returns a fault of the mapping as
// an error. Work calls no code of the host's but functions of filters and codecs. Its
// results are valid only if there is no error, and verify gives none. Work that uses the mapping sets unverified.
func (s *scan) catchFaults(work func() error) (err error) {
	if !s.mapping.allowed {
		return work()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = s.mappingFault(cause)
		}
	}()
	return work()
}

// mappingFault returns the error for a panic by a fault in the mapping. It panics again
// with any other cause.
func (s *scan) mappingFault(cause any) error {
	fault, ok := cause.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok || s.mapping.views == nil {
		panic(cause)
	}
	off, ours := s.mapping.views.Offset(fault.Addr())
	if !ours {
		panic(cause)
	}
	// The fault may have left readers in any state: drop them.
	column := ""
	for _, l := range s.leaves {
		if l.open && l.feed.Chunk.Off <= off && off < l.feed.Chunk.End() {
			column = l.node.String()
		}
		l.open, l.chunkReader = false, nil
	}
	err := s.mapping.views.Intact()
	if err == nil {
		err = errors.New("the file cannot be read where it is mapped into memory")
	}
	return s.file.wrap(s.run.group, column, off, err)
}
