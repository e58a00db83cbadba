package scanner

import (
	"errors"
	"runtime"
	"runtime/debug"

	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Pages that are not compressed are looked at where a mapping of the file has
// them, if its source is a fetch.Viewer: reading them would copy them for
// nothing. All else is read, for it is copied anyway.
//
// What looks at pages therefore runs in guarded, which makes errors of what a
// mapping does when its file fails. Rows that were handed out never point
// there.

// mapsPages reports whether pages of the file may be looked at in a mapping.
func (f *File) mapsPages(o *Options) bool {
	_, can := f.Source().(fetch.Viewer)
	return can && !o.knobs.NoMapping
}

// mapping is a scan's use of the mapped file.
type mapping struct {
	allowed bool         // pages may be looked at
	views   *fetch.Views // of the file, once there are some
}

// close is for when nothing is looked at any more.
func (m *mapping) close() {
	if m.views != nil {
		m.views.Close()
		m.views = nil
	}
}

// looksAt reports whether a chunk's pages may be looked at.
func (s *scan) looksAt(c *Chunk) bool {
	return s.mapping.allowed && s.share.prefetcher == nil && codec.ID(c.Meta.Codec) == codec.Uncompressed
}

// viewsOf returns what shows a chunk's pages, nil if they are to be read.
func (s *scan) viewsOf(c *Chunk) *fetch.Views {
	if !s.looksAt(c) {
		return nil
	}
	if s.mapping.views == nil {
		s.mapping.views = s.file.Source().(fetch.Viewer).Views()
		s.mapping.allowed = s.mapping.views != nil
	}
	return s.mapping.views
}

// largeStored is from how many bytes on a page is better read to where its values
// stay, rather than many at a time: of 8 KiB it took twice as long.
const largeStored = 128 << 10

// readsBare reports whether a chunk that could be looked at is rather read, page by
// page: where all values are wanted, a new mapping costs more than that. It pays
// when they are wanted again, so only the first scan of a file does without.
func (r *groupRun) readsBare(l *leaf) bool {
	s := r.scan
	if !s.looksAt(l.chunk) || s.share.reread || r.phase != gatherUntested || r.needsOffsets() || r.unit.split != nil || !l.values {
		return false
	}
	for _, e := range l.chunk.Meta.Encodings {
		if e != wire.Encoding_PLAIN && e != wire.Encoding_RLE && e != wire.Encoding_BIT_PACKED {
			return false
		}
	}
	return true
}

// guarded runs work, which may look at pages, and no code of the host's but
// functions of filters and codecs. What comes of it counts only if there is no error.
func (s *scan) guarded(work func() error) (err error) {
	if !s.mapping.allowed {
		return work()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = s.faultOf(cause)
		}
	}()
	err = work()
	if s.mapping.views == nil || err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	if fault := s.mapping.views.Intact(); fault != nil {
		return s.file.wrap(s.run.group, "", -1, fault)
	}
	return err
}

// faultOf returns the error for a panic that comes of looking at pages, and
// goes on with any other.
func (s *scan) faultOf(cause any) error {
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
	// What was at work is in the middle of something, and not used again.
	column := ""
	for _, l := range s.leaves {
		if l.open && l.feed.Covers(off) {
			column = l.node.String()
		}
		l.open, l.chunkReader = false, nil
	}
	err := s.mapping.views.Intact()
	if err == nil {
		err = errFault
	}
	return s.file.wrap(s.run.group, column, off, err)
}

var errFault = errors.New("the file cannot be read where it is mapped into memory")
