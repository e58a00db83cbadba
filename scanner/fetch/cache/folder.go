package cache

import (
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Folder is a Cache in the files of a folder, which any number of processes may share, and which
// outlives them. Safe for concurrent use.
//
// A file that was cut short or damaged, by a crash or otherwise, counts as missing and is removed;
// so does one that cannot be read. What cannot be written is not kept. The checksum of a file
// finds accidents: whoever may write to the folder can forge what readers get, so a Folder must
// be the user's alone.
type Folder struct {
	dir      string
	maxBytes int64

	evicting sync.Mutex // held by the writer that looks through the folder, and by no reader

	mu       sync.Mutex // never held while files are touched
	room     int64      // how much may be written before the folder is looked through
	counters Counters

	// Tests stop at each step of Put, and fail it.
	step   func(name string)
	writer func(io.Writer) io.Writer
}

// OpenFolder returns a Folder of at most maxBytes bytes. It makes the folder if there is none.
// In place of what is too much, it removes files that were not used for the longest time; each
// further process that writes at the same time may exceed maxBytes by a sixteenth. Files that
// are not of a Folder are left alone.
//
// On Unix, OpenFolder returns an error if another user owns the folder, if its group or all others
// may write to it, if a link of another user leads to it, or if a folder above it may be written to
// by all without being sticky, as /tmp is. It follows links once, at opening.
func OpenFolder(dir string, maxBytes int64) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	dir, err := ownFolder(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{
		dir: dir, maxBytes: maxBytes,
		step: func(string) {}, writer: func(w io.Writer) io.Writer { return w },
	}, nil
}

// usedStep is the time within which two uses of a file are one, so that not every read of the
// cache writes to the disk. A file's modification time is that of its last use.
const usedStep = time.Second

// Get implements Cache.
func (c *Folder) Get(k Key) []byte {
	hash := k.hash()
	path := c.path(hash)
	data, used := c.read(path, hash, k.Range.Len)
	if now := time.Now(); data != nil && now.Sub(used) >= usedStep {
		_ = os.Chtimes(path, now, now) // another process may have removed it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if data == nil {
		c.counters.Misses++
		return nil
	}
	c.counters.Hits++
	return data
}

// read returns the data of a file, and when it was used last. If the file is not as it was
// written, read removes it and returns nil.
func (c *Folder) read(path string, hash fileHash, length int64) (data []byte, used time.Time) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, used
	}
	if info.Mode().IsRegular() && info.Size() == headerSize+length {
		f, err := os.Open(path)
		if err != nil {
			return nil, used
		}
		defer f.Close()
		b := make([]byte, headerSize+length)
		if _, err := io.ReadFull(f, b); err == nil {
			if data := decode(b, hash); data != nil {
				return data, info.ModTime()
			}
		}
	}
	if os.Remove(path) == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.counters.Broken++
	}
	return nil, used
}

// Put implements Cache. A file is written under another name, and renamed once it is complete,
// so that no reader sees a part of it. It is not synced: what a failing machine leaves of it
// has a wrong checksum.
func (c *Folder) Put(k Key, data []byte) {
	if int64(len(data)) != k.Range.Len || !c.makeRoom(onDisk(headerSize+k.Range.Len)) {
		return
	}
	hash := k.hash()
	if c.write(c.path(hash), encode(hash, data)) != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.counters.Failed++
	}
}

func (c *Folder) write(path string, b []byte) error {
	f, err := c.create(filepath.Dir(path))
	if err != nil {
		return err
	}
	c.step("created")
	_, err = c.writer(f).Write(b)
	c.step("written")
	if closed := f.Close(); err == nil {
		err = closed
	}
	c.step("closed")
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	c.step("renamed")
	if err != nil {
		_ = os.Remove(f.Name()) // evict removes what stays
	}
	return err
}

// create makes a file for what is being written.
func (c *Folder) create(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, unfinishedPrefix)
	if !os.IsNotExist(err) {
		return f, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c.step("made")
	return os.CreateTemp(dir, unfinishedPrefix)
}

// path returns the file of a key: DIR/3f/3f9a….block.
func (c *Folder) path(hash fileHash) string {
	name := hex.EncodeToString(hash[:])
	return filepath.Join(c.dir, name[:2], name+blockEnding)
}

// Counters returns the counters at the moment. Bytes are those of the folder as this Folder saw
// it last, and what it wrote since; it has not looked before it writes.
func (c *Folder) Counters() Counters {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counters
}
