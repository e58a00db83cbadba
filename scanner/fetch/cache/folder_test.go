package cache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

func newFolder(t testing.TB, dir string, maxBytes int64) *Folder {
	t.Helper()
	c, err := OpenFolder(dir, maxBytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// blockKey returns a key of n bytes.
func blockKey(i, n int) Key {
	return Key{fetch.Identity{Name: "f", Tag: "1"}, fetch.Range{Off: int64(i), Len: int64(n)}}
}

// filesOf returns all files below a folder, and what they take on the disk.
func filesOf(t testing.TB, dir string) (paths []string, size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		paths, size = append(paths, path), size+(info.Size()+4095)/4096*4096
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths, size
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c := newFolder(t, dir, 1<<20)
	data := randomBytes(5000)
	k := blockKey(3, 5000)
	if c.Get(k) != nil {
		t.Error("found in an empty folder")
	}
	c.Put(k, data)
	c.Put(blockKey(4, 5001), data)                 // not what the key says
	c.Put(blockKey(0, 2<<20), make([]byte, 2<<20)) // more than the folder may have
	c.Put(blockKey(5, 0), nil)
	for name, c := range map[string]*Folder{"same": c, "other": newFolder(t, dir, 1<<20)} {
		if got := c.Get(k); !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if got := c.Get(blockKey(5, 0)); got == nil || len(got) != 0 {
			t.Errorf("%s: %v of no bytes", name, got)
		}
		for _, k := range []Key{
			blockKey(4, 5000), blockKey(3, 4999), blockKey(4, 5001), blockKey(0, 2<<20),
			{fetch.Identity{Name: "f", Tag: "2"}, k.Range}, {fetch.Identity{Name: "g", Tag: "1"}, k.Range},
			{fetch.Identity{Name: "f", Tag: "1", Size: 1}, k.Range},
			{fetch.Identity{Name: "f", Tag: "1", Modified: time.Unix(0, 1).UTC()}, k.Range},
		} {
			if c.Get(k) != nil {
				t.Errorf("%s: %+v is found", name, k)
			}
		}
	}
	if n, want := c.Counters(), (Counters{Hits: 2, Misses: 9, Bytes: 8192 + 4096}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
	paths, _ := filesOf(t, dir)
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v, %v: others may read %s", info.Mode(), err, path)
		}
	}
	if len(paths) != 2 {
		t.Errorf("%q", paths)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c.Put(k, data)
	if !bytes.Equal(c.Get(k), data) {
		t.Error("a folder that was removed is not made again")
	}
	if _, err := OpenFolder(paths[0][:len(dir)]+"/a\x00", 1); err == nil {
		t.Error("a folder that cannot be made: no error")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(file, 1); err == nil {
		t.Error("a file in place of the folder: no error")
	}
}

// Whatever a file's bytes have become, there is a miss, and the file is gone.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	data := randomBytes(30)
	k, other := blockKey(0, 30), blockKey(1, 30)
	path := newFolder(t, dir, 1<<20).path(k.hash())
	whole := encode(k.hash(), data)
	broken := [][]byte{append(bytes.Clone(whole), 0), encode(other.hash(), data), make([]byte, len(whole))}
	for i := range whole {
		broken = append(broken, whole[:i])
		for bit := range 8 {
			b := bytes.Clone(whole)
			b[i] ^= 1 << bit
			broken = append(broken, b)
		}
	}
	for i, b := range broken {
		c := newFolder(t, dir, 1<<20)
		c.Put(k, data)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.Get(k); got != nil {
			t.Errorf("%d: %q", i, got)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d: not removed: %v", i, err)
		}
		if n := c.Counters(); n.Broken != 1 || n.Misses != 1 || n.Hits != 0 {
			t.Errorf("%d: %+v", i, n)
		}
	}
	c := newFolder(t, dir, 1<<20)
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	c.Put(k, data)
	if got, n := c.Get(k), c.Counters(); got != nil || n.Failed != 1 || n.Broken != 0 {
		t.Errorf("a folder in place of a file: %q, %+v", got, n)
	}
}

// age makes a file of the folder look as if it was used last so long ago.
func age(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	when := time.Now().Add(-ago)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// What was not used for the longest time goes first, whichever process used it. What does not
// belong to a Folder stays.
func TestEviction(t *testing.T) {
	dir := t.TempDir()
	const most = 16 * 4096
	a, b := newFolder(t, dir, most), newFolder(t, dir, most)
	foreign := []string{"note", "00/note", "00/00.block", "zz/unfinished-1", "00/" + strings.Repeat("0", 64) + ".block/x"}
	for _, name := range foreign {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		age(t, path, 1000*time.Hour)
	}
	crashed, underWay := filepath.Join(dir, "00", "unfinished-7"), filepath.Join(dir, "00", "unfinished-8")
	for _, path := range []string{crashed, underWay} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	age(t, crashed, 2*unfinishedFor)

	for i := range 40 {
		k := blockKey(i, 3000)
		a.Put(k, randomBytes(3000))
		age(t, a.path(k.hash()), time.Duration(100-i)*time.Hour)
		if b.Get(blockKey(0, 3000)) == nil { // which makes it the last used one
			t.Fatalf("after %d: the one that is used all the time is gone", i)
		}
		if n := a.Counters(); n.Bytes > most {
			t.Fatalf("after %d: %+v", i, n)
		}
	}
	for i := range 40 {
		if kept := a.Get(blockKey(i, 3000)) != nil; kept != (i == 0 || i >= 25) {
			t.Errorf("%d is kept: %v", i, kept)
		}
	}
	if n := a.Counters(); n.Evicted != 24 || n.Bytes != most {
		t.Errorf("%+v", n)
	}
	for _, name := range foreign {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(underWay); err != nil {
		t.Errorf("a file that is being written: %v", err)
	}
	if _, err := os.Stat(crashed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that a crash has left: %v", err)
	}
	b.Put(blockKey(99, 3*4096), make([]byte, 3*4096)) // larger than a sixteenth
	if b.Get(blockKey(99, 3*4096)) == nil || b.Counters().Bytes > most {
		t.Errorf("%+v", b.Counters())
	}
}

// While a writer looks through the folder, or removes files, readers do not wait for it.
func TestReadsDuringEviction(t *testing.T) {
	c := newFolder(t, t.TempDir(), 4*4096)
	for i := range 4 {
		c.Put(blockKey(i, 3000), randomBytes(3000))
		age(t, c.path(blockKey(i, 3000).hash()), time.Duration(9-i)*time.Hour)
	}
	reached, goOn := make(chan string), make(chan bool)
	c.step = func(name string) {
		if name == "listed" || name == "removed" {
			reached <- name
			<-goOn
		}
	}
	written := make(chan bool)
	go func() {
		c.Put(blockKey(4, 3000), randomBytes(3000))
		close(written)
	}()
	for _, want := range []string{"listed", "removed"} {
		if got := <-reached; got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		read := make(chan bool)
		go func() {
			hit, miss := c.Get(blockKey(3, 3000)) != nil, c.Get(blockKey(9, 3000)) == nil
			read <- hit && miss && c.Counters().Hits > 0
		}()
		select {
		case right := <-read:
			if !right {
				t.Errorf("%s: wrong reads", want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: a read waits for the writer", want)
		}
		goOn <- true
	}
	<-written
	if n := c.Counters(); c.Get(blockKey(4, 3000)) == nil || n.Evicted != 1 || n.Bytes != 4*4096 {
		t.Errorf("%+v", n)
	}
}

// Any number of writers and readers at one time get what was written, and keep the bound.
func TestFolderIsShared(t *testing.T) {
	dir := t.TempDir()
	c := newFolder(t, dir, sharedBytes)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(6, uint64(g)))
			for range 200 {
				i := r.IntN(sharedFiles)
				k := blockKey(i, 2000+i)
				got := c.Get(k)
				if got == nil {
					c.Put(k, sharedData(i))
				} else if !bytes.Equal(got, sharedData(i)) {
					t.Errorf("other bytes than were written of %d", i)
				}
				if n := c.Counters(); n.Bytes > sharedBytes {
					t.Errorf("%+v", n)
				}
			}
		})
	}
	all.Wait()
	_, size := filesOf(t, dir)
	// A writer that made room, and had not made its file yet, is not seen by one that evicts.
	if n := c.Counters(); size > sharedBytes+7*4096 || n.Hits == 0 || n.Evicted == 0 || n.Hits+n.Misses != 8*200 || n.Failed > 0 || n.Broken > 0 {
		t.Errorf("%d bytes, %+v", size, n)
	}
}

// quota is a disk that is full after some bytes.
type quota struct {
	w    io.Writer
	left *int
}

func (q quota) Write(b []byte) (int, error) {
	n, err := q.w.Write(b[:min(len(b), *q.left)])
	*q.left -= n
	if err == nil && n < len(b) {
		err = syscall.ENOSPC
	}
	return n, err
}

// On a full disk reads are right, what fits is kept, and nothing half-written stays.
func TestFullDisk(t *testing.T) {
	data := randomBytes(1000)
	for _, left := range []int{0, 1, 44, 143, 144, 145, 287, 288, 300, 432, 475} {
		dir := t.TempDir()
		c := newFolder(t, dir, 1<<20)
		fits := left / (100 + int(headerSize))
		c.writer = func(w io.Writer) io.Writer { return quota{w, &left} }
		src := NewBlocks(c, 100).Source(tagged(data, "1"))
		check(t, src, data, fetch.Range{Len: 400})
		check(t, src, data, fetch.Range{Len: 400})
		paths, _ := filesOf(t, dir)
		if n := c.Counters(); len(paths) != fits || n.Hits != int64(fits) || n.Failed != int64(2*(4-fits)) {
			t.Fatalf("%d fit: %q, %+v", fits, paths, n)
		}
	}
}

// FuzzFile puts any bytes where a file of the folder is. What is found is what they were made of.
func FuzzFile(f *testing.F) {
	k := blockKey(0, 20)
	whole := encode(k.hash(), randomBytes(20))
	f.Add(whole)
	f.Add(whole[:50])
	f.Add(encode(k.hash(), nil))
	f.Add([]byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newFolder(t, dir, 1<<20)
		path := c.path(k.hash())
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		got := c.Get(k)
		_, err := os.Stat(path)
		switch {
		case got != nil && (len(got) != 20 || !bytes.Equal(encode(k.hash(), got), b) || err != nil):
			t.Errorf("%q of %q, %v", got, b, err)
		case got == nil && !errors.Is(err, fs.ErrNotExist):
			t.Errorf("what is not found stays: %v", err)
		}
	})
}
