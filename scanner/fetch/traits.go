package fetch

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"time"
)

// Traits describe a source: which state of which file it reads, and what a read costs.
// A zero field is unknown.
type Traits struct {
	// Identity is that of the file's present state.
	Identity Identity

	// Latency is how long a read takes before its first byte comes, Bandwidth how many
	// bytes a second come then. Scans prefetch from a source with a latency, several
	// ranges at once, in goroutines of their own.
	Latency   time.Duration
	Bandwidth int64
}

// Identity identifies a state of a file: it changes when the file is written again.
// A zero field is unknown.
type Identity struct {
	Name     string    `json:",omitzero"` // path, URL, or key of an object
	Size     int64     // bytes
	Modified time.Time `json:",omitzero"`
	Tag      string    `json:",omitzero"` // the inode of a local file, the ETag of an object
}

// Known reports whether i tells the states of a file apart, and the file from others:
// it has a name, and a time or a tag.
func (i Identity) Known() bool { return i.Name != "" && (i.Tag != "" || !i.Modified.IsZero()) }

// Same reports whether two identities can be of the same state of a file: their sizes
// are equal, and so are times and tags that both have. It does not compare names: a file
// may have several.
func (i Identity) Same(other Identity) bool {
	return i.Size == other.Size &&
		(i.Tag == other.Tag || i.Tag == "" || other.Tag == "") &&
		(i.Modified.Equal(other.Modified) || i.Modified.IsZero() || other.Modified.IsZero())
}

// ErrChanged is matched by errors about a file that has changed while it was read. A
// remote source may return it, too: if an object no longer has the ETag that it was
// opened with.
var ErrChanged = errors.New("the file has changed while it was read")

// IdentityOf returns the identity of src's present state, with src.Size() if it states no
// size.
func IdentityOf(src Source) Identity {
	id := src.Traits().Identity
	id.Size = cmp.Or(id.Size, src.Size())
	return id
}

const (
	// maxReadAhead bounds ReadAhead, whatever a source states.
	maxReadAhead = 256 << 20

	// defaultReadAhead is ReadAhead of a source of unknown bandwidth: that of 1 GB/s at
	// a latency of 5 ms.
	defaultReadAhead = 32 << 20
)

// ReadAhead returns how many prefetched bytes a scan may hold: six times what the source
// transfers during its latency. Responses that share its bandwidth end at about the same
// time, and those of the next requests come a latency later. It
// is 0 if the latency is unknown: local files and memory are not prefetched.
func (t Traits) ReadAhead() int64 {
	switch {
	case t.Latency <= 0:
		return 0
	case t.Bandwidth <= 0:
		return defaultReadAhead
	}
	n := 6 * t.Latency.Seconds() * float64(t.Bandwidth)
	return int64(min(max(math.Ceil(n), 1), maxReadAhead))
}

// WithTraits returns src with other traits, such as those that a host knows of its
// io.ReaderAt or of bytes that it holds.
func WithTraits(src Source, t Traits) Source { return withTraits{src, t} }

type withTraits struct {
	Source
	traits Traits
}

func (s withTraits) Traits() Traits { return s.traits }

// identityOf returns the identity of a file that was opened under a name.
func identityOf(name string, info fs.FileInfo) Identity {
	return Identity{Name: name, Size: info.Size(), Modified: info.ModTime().Round(0), Tag: inode(info)}
}
