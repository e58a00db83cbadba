package hdfsscan

import (
	"context"
	"io"
	"io/fs"
	"time"

	"github.com/colinmarc/hdfs/v2"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// checkedRead is how many bytes are asked for in one read: less than a chunk of HDFS's checksums,
// which has 512 bytes as a rule. The library returns bytes that have failed their check when at
// least a chunk is asked for (colinmarc/hdfs#348, open at v2.4.0), and tries another datanode
// when it is less.
const checkedRead = 256

// reader reads a file with one stream at a time. One goroutine uses it at a time.
type reader struct {
	*session
	source *File
	file   *hdfs.FileReader
	pos    int64 // of file
	pinned bool  // file has the blocks of the state that source was opened with
}

// openReader returns a new reader.
func (f *File) openReader(ctx context.Context) (*reader, error) {
	s, err := f.cluster.connect(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{session: s, source: f}
	err = s.do(ctx, func() (err error) {
		if r.file, err = s.client.Open(f.path); err != nil {
			return err
		}
		return f.unchanged(r.file.Stat())
	})
	if err != nil {
		s.close()
		return nil, err
	}
	return r, nil
}

// unchanged returns fetch.ErrChanged if a state is not that of opening.
func (f *File) unchanged(info fs.FileInfo) error {
	if !f.cluster.identity(f.path, info).Same(f.identity) {
		return fetch.ErrChanged
	}
	return nil
}

// pin sees to it that the blocks, which the library asks for at the first read, are those of the
// state that the file was opened with. From then on the namenode is not needed.
func (r *reader) pin() error {
	info, err := r.client.Stat(r.source.path)
	if err != nil {
		return err
	}
	if err := r.source.unchanged(info); err != nil {
		return err
	}
	r.pinned = true
	r.closeClient()
	return nil
}

// read reads a piece, and takes out of it what it has read.
func (r *reader) read(ctx context.Context, p *piece) error {
	return r.do(ctx, func() error {
		if err := r.seek(p.off); err != nil {
			return err
		}
		return r.fill(p)
	})
}

// seek goes to an offset. The library's Seek ends the stream if it goes nowhere, and loses count of
// the stream's offset if it goes less than 64 KiB on, which gives wrong bytes once another datanode
// takes over (colinmarc/hdfs#312, open at v2.4.0).
func (r *reader) seek(off int64) error {
	if gap := off - r.pos; 0 <= gap && gap <= maxGap {
		return r.fill(&piece{r.pos, make([]byte, gap)})
	}
	_, err := r.file.Seek(off, io.SeekStart)
	if err == nil {
		r.pos = off
	}
	return err
}

// fill reads the bytes of p, which is at r's offset, and makes p what is left of it.
func (r *reader) fill(p *piece) error {
	var first time.Time // after the first bytes
	total, streams, start := int64(len(p.dst)), r.streams, time.Now()
	for len(p.dst) > 0 {
		n, err := r.file.Read(p.dst[:min(len(p.dst), checkedRead)])
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if first.IsZero() {
			if r.streams != streams {
				r.source.rates.AddLatency(time.Since(start))
			}
			if !r.pinned {
				if err := r.pin(); err != nil {
					return err
				}
			}
			first = time.Now()
		}
		r.vain = 0
		p.off, p.dst = p.off+int64(n), p.dst[n:]
		r.pos = p.off
	}
	r.source.rates.AddBytes(total, time.Since(first))
	return nil
}

func (r *reader) close() {
	r.session.close()
	r.file.Close()
}
