package cache

import (
	"container/list"
	"sync"
)

// LRU is a Cache in memory of at most a number of bytes. It drops what was not used for
// the longest time. Safe for concurrent use; readers of any number of files may share it.
type LRU struct {
	maxBytes int64

	mu       sync.Mutex
	byKey    map[Key]*list.Element
	recent   list.List // of *entry, the last used one first
	counters Counters
}

type entry struct {
	key  Key
	data []byte
}

// entryBytes is about what an entry takes besides its data and the texts of its key: the
// key twice, a list element, and its place in the map.
const entryBytes = 400

func (e *entry) size() int64 {
	return int64(len(e.data)) + int64(len(e.key.File.Name)+len(e.key.File.Tag)) + entryBytes
}

// New returns an LRU of at most maxBytes bytes. With 0 or less it keeps nothing.
func New(maxBytes int64) *LRU {
	return &LRU{maxBytes: maxBytes, byKey: map[Key]*list.Element{}}
}

// Get implements Cache.
func (c *LRU) Get(k Key) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.byKey[k]
	if at == nil {
		c.counters.Misses++
		return nil
	}
	c.counters.Hits++
	c.recent.MoveToFront(at)
	return at.Value.(*entry).data
}

// Put implements Cache. It keeps data itself, no copy. Data of more than maxBytes is not kept.
func (c *LRU) Put(k Key, data []byte) {
	e := &entry{k, data}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.byKey[k]; at != nil {
		c.drop(at)
	}
	if e.size() > c.maxBytes {
		return
	}
	for c.counters.Bytes+e.size() > c.maxBytes {
		c.drop(c.recent.Back())
		c.counters.Evicted++
	}
	c.byKey[k] = c.recent.PushFront(e)
	c.counters.Bytes += e.size()
}

func (c *LRU) drop(at *list.Element) {
	e := c.recent.Remove(at).(*entry)
	delete(c.byKey, e.key)
	c.counters.Bytes -= e.size()
}

// Counters returns the counters at the moment.
func (c *LRU) Counters() Counters {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counters
}
