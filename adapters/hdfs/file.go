package hdfsscan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// File is a file of HDFS: a fetch.Source. Safe for concurrent use.
type File struct {
	cluster   *Cluster
	path      string
	identity  fetch.Identity // at opening
	blockSize int64
	slots     chan struct{} // has an element for each reader that is in use
	changed   atomic.Bool   // a reader has found another state of the file
	reads     atomic.Int64  // that have ended
	known     atomic.Pointer[known]
	rates     fetch.Rates

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup // of ReadRanges
	idle   []*reader      // the one that was used last is the last
}

// Name returns the file's URL, such as hdfs://namenode:8020/orders.parquet.
func (f *File) Name() string { return f.identity.Name }

// Size returns the size that the file had at opening.
func (f *File) Size() int64 { return f.identity.Size }

// Traits returns the identity of the file's present state, which it asks the namenode for. If
// no bytes were read since it last asked, it asks again after a second only. A file that is gone
// has an identity that differs from any other. Of a namenode that does not answer in five
// seconds, only the name is known. Latency and Bandwidth are those of the streams so far,
// Bandwidth that of as many streams at once as the file may have.
func (f *File) Traits() fetch.Traits {
	latency, bandwidth := f.rates.Known(cap(f.slots))
	return fetch.Traits{Identity: f.present(), Latency: latency, Bandwidth: bandwidth}
}

// known is a state of the file that the namenode has told.
type known struct {
	fetch.Identity
	asked time.Time
	reads int64 // of the file, that had ended by then
}

const (
	knownFor    = time.Second
	longestStat = 5 * time.Second
)

// present returns the identity of the present state.
func (f *File) present() fetch.Identity {
	reads := f.reads.Load()
	if last := f.known.Load(); last.reads == reads && time.Since(last.asked) < knownFor {
		return last.Identity
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestStat)
	defer cancel()
	now := known{asked: time.Now(), reads: reads}
	info, err := f.cluster.stat(ctx, f.path)
	switch {
	case err == nil:
		now.Identity = f.cluster.identity(f.path, info)
	case errors.Is(err, fs.ErrNotExist):
		now.Identity = fetch.Identity{Name: f.Name(), Tag: "deleted"}
	default:
		return fetch.Identity{Name: f.Name()}
	}
	f.known.Store(&now)
	return now.Identity
}

// Close closes the file's connections. Reads that are under way end first; later ones fail
// with fs.ErrClosed.
func (f *File) Close() error {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.calls.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.idle {
		r.close()
	}
	f.idle = nil
	return nil
}

const (
	// maxGap is the largest gap that a reader reads over instead of asking for a new stream,
	// which takes about as long as 64 KiB at 100 MB/s.
	maxGap = 64 << 10

	// maxRun is the longest piece of a file that one reader reads for a call: what is longer is
	// read by several at once.
	maxRun = 16 << 20
)

// piece is memory for bytes of the file.
type piece struct {
	off int64
	dst []byte
}

// ReadRanges implements fetch.Source. The bytes are in memory of alloc.
func (f *File) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Ended(ctx); err != nil {
		return nil, err
	}
	if err := fetch.Check(ranges, f.Size()); err != nil {
		return nil, &Error{Name: f.Name(), Err: err}
	}
	if err := f.begin(); err != nil {
		return nil, &Error{Name: f.Name(), Err: err}
	}
	defer f.calls.Done()
	defer f.reads.Add(1)
	return fetch.Parts{Gap: maxGap, Longest: maxRun, Read: func(ctx context.Context, off int64, dst []byte) error {
		return f.read(ctx, &piece{off, dst})
	}}.ReadRanges(ctx, ranges, alloc)
}

// begin counts a call as under way, unless the file is closed or has changed.
func (f *File) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return fs.ErrClosed
	case f.changed.Load():
		return fetch.ErrChanged
	}
	f.calls.Add(1)
	return nil
}

// attempts is how often a piece is read before its error is returned.
const attempts = 3

// read reads a piece. After an error that may pass, another reader continues.
func (f *File) read(ctx context.Context, p *piece) error {
	for attempt := 1; ; attempt++ {
		err := f.attempt(ctx, p)
		if err == nil {
			return nil
		}
		if errors.Is(err, fetch.ErrChanged) {
			f.changed.Store(true)
		}
		if len(p.dst) == 0 {
			return fetch.Ended(ctx) // it ended after the last byte
		}
		if attempt == attempts || !passes(plain(err)) {
			place := fetch.Range{Off: p.off, Len: int64(len(p.dst))}
			return wrap(ctx, f.Name(), fmt.Errorf("range %v: %w", place, plain(err)))
		}
		select {
		case <-ctx.Done():
			return fetch.Ended(ctx)
		case <-time.After(50 * time.Millisecond << (2 * attempt)):
		}
	}
}

// attempt reads a piece with one reader. If that fails, what was read is no longer in the piece.
func (f *File) attempt(ctx context.Context, p *piece) error {
	select {
	case <-ctx.Done():
		return fetch.Ended(ctx)
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	}
	r := f.take(p.off)
	if r == nil {
		var err error
		if r, err = f.openReader(ctx); err != nil {
			return err
		}
	}
	if err := r.read(ctx, p); err != nil {
		r.close()
		return err
	}
	f.put(r)
	return nil
}

// take returns the idle reader that is nearest before an offset. If none is near, it returns the one
// that was not used for the longest time, and nil if there is none.
func (f *File) take(off int64) *reader {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.idle) == 0 {
		return nil
	}
	best, nearest := 0, int64(maxGap+1)
	for i, r := range f.idle {
		if gap := off - r.pos; 0 <= gap && gap < nearest {
			best, nearest = i, gap
		}
	}
	r := f.idle[best]
	f.idle = slices.Delete(f.idle, best, best+1)
	return r
}

// put makes a reader idle.
func (f *File) put(r *reader) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.idle = append(f.idle, r)
}
