package cache

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	blockEnding      = ".block"
	unfinishedPrefix = "unfinished-"

	// unfinishedFor is how long a file may be in the making. Writing it takes milliseconds, so
	// after this time it is what a crash has left.
	unfinishedFor = time.Minute
)

// onDisk returns what a file of n bytes takes in most file systems.
func onDisk(n int64) int64 { return (n + 4095) &^ 4095 }

// stored is a file of the folder.
type stored struct {
	path string
	size int64
	used time.Time
}

// makeRoom makes room for a file of n bytes. It returns false if the folder is too small for it.
//
// After a look through the folder, a process writes at most a sixteenth of maxBytes before it
// looks again: other processes may have written as well.
//
//	maxBytes    |  what is there, at most 15/16  |  room: 1/16  |
func (c *Folder) makeRoom(n int64) bool {
	if n > c.maxBytes {
		return false
	}
	if c.takeRoom(n) {
		return true
	}
	c.evicting.Lock()
	defer c.evicting.Unlock()
	if c.takeRoom(n) {
		return true // another writer has made room meanwhile
	}
	room := max(c.maxBytes/16, n)
	left, evicted := c.evict(c.maxBytes - room)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room = room - n
	c.counters.Bytes = left + n
	c.counters.Evicted += evicted
	return true
}

// takeRoom takes n bytes of the room. If there is less, it takes all of it and returns false:
// further writers then wait for the look through the folder, which counts what was written.
func (c *Folder) takeRoom(n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.room < n {
		c.room = 0
		return false
	}
	c.room -= n
	c.counters.Bytes += n
	return true
}

// evict removes files that were not used for the longest time, until at most most bytes are left,
// and what crashes have left. It returns how many bytes are left, and how many files of blocks it
// has removed.
func (c *Folder) evict(most int64) (total, evicted int64) {
	files := c.list()
	c.step("listed")
	slices.SortFunc(files, func(a, b stored) int { return a.used.Compare(b.used) })
	for _, f := range files {
		total += f.size
	}
	for _, f := range files {
		unfinished := strings.HasPrefix(filepath.Base(f.path), unfinishedPrefix)
		if unfinished && time.Since(f.used) < unfinishedFor || !unfinished && total <= most {
			continue
		}
		err := os.Remove(f.path)
		if err != nil && !os.IsNotExist(err) {
			continue
		}
		if err == nil && !unfinished {
			evicted++
		}
		total -= f.size
		c.step("removed")
	}
	return total, evicted
}

// list returns the files of the folder, and none of what else may lie there.
func (c *Folder) list() []stored {
	var files []stored
	folders, _ := os.ReadDir(c.dir)
	for _, folder := range folders {
		if !folder.IsDir() || !isHex(folder.Name(), 1) {
			continue
		}
		inside, _ := os.ReadDir(filepath.Join(c.dir, folder.Name()))
		for _, entry := range inside {
			name := entry.Name()
			block := strings.TrimSuffix(name, blockEnding)
			if !strings.HasPrefix(name, unfinishedPrefix) && (block == name || !isHex(block, len(fileHash{}))) {
				continue
			}
			info, err := entry.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			files = append(files, stored{filepath.Join(c.dir, folder.Name(), name), onDisk(info.Size()), info.ModTime()})
		}
	}
	return files
}

// isHex reports whether s is the text of n bytes.
func isHex(s string, n int) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == n
}
