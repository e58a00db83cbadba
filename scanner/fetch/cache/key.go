package cache

import (
	"crypto/sha256"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Key names a range of the bytes of one state of a file. Equal keys compare equal with ==.
type Key struct {
	File  fetch.Identity
	Range fetch.Range
}

// fileHash is a hash of a Key.
type fileHash = [sha256.Size]byte

// hash returns a number that no other key has. It reveals no name.
func (k Key) hash() fileHash {
	b := strconv.AppendQuote(nil, k.File.Name)
	b = strconv.AppendQuote(b, k.File.Tag)
	for _, n := range []int64{
		k.File.Size, k.File.Modified.Unix(), int64(k.File.Modified.Nanosecond()), k.Range.Off, k.Range.Len,
	} {
		b = strconv.AppendInt(append(b, ' '), n, 10)
	}
	return sha256.Sum256(b)
}

// Cache keeps bytes. Its methods must be safe for concurrent use.
type Cache interface {
	// Get returns the bytes of a key, nil if it does not have them. The caller must
	// not change them.
	Get(Key) []byte

	// Put offers the bytes of a key, which the cache may keep: nobody changes them. A
	// cache must bound what it keeps.
	Put(Key, []byte)
}

// Counters say what a Cache did so far, and how many bytes it has.
type Counters struct {
	Hits, Misses int64 // of Get
	Bytes        int64 // kept now, with those that keep them
	Evicted      int64 // dropped to make room
	Broken       int64 // files of a Folder that were removed, for they were not as they were written
	Failed       int64 // files of a Folder that could not be written
}

// settled is how long ago a file must have been written for its bytes to be cached.
// Within the granularity of its time, of two seconds in the coarsest file systems, it may
// be written again and keep its identity.
const settled = 2 * time.Second

// cacheable returns a file's identity in the form that keys have, and whether the bytes of a
// file with it may be cached.
func cacheable(file fetch.Identity) (fetch.Identity, bool) {
	if !file.Known() || !file.Modified.IsZero() && time.Since(file.Modified) < settled {
		return file, false
	}
	file.Modified = file.Modified.Round(0).UTC() // one form, for ==
	return file, true
}
