package cache

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is what other processes run, too, if this variable says what.
const roleVariable = "WINNOW_CACHE_TEST_ROLE"

func TestMain(m *testing.M) {
	role, rest, ok := strings.Cut(os.Getenv(roleVariable), " ")
	if !ok {
		os.Exit(m.Run())
	}
	first, dir, _ := strings.Cut(rest, " ")
	number, err := strconv.Atoi(first)
	if err != nil {
		panic(err)
	}
	switch role {
	case "share":
		share(dir, uint64(number))
	case "crash":
		crash(dir, number)
	}
}

func process(t *testing.T, role, dir string, number int) (output string, err error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), roleVariable+"="+role+" "+strconv.Itoa(number)+" "+dir)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

const (
	sharedFiles = 60
	sharedBytes = 32 * 4096
)

func sharedData(i int) []byte { return randomBytes(2000 + i) }

// share reads and writes files that other processes read, write, remove and break.
func share(dir string, number uint64) {
	c, err := OpenFolder(dir, sharedBytes)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(5, number))
	for range 500 {
		i := r.IntN(sharedFiles)
		k := blockKey(i, 2000+i)
		switch got := c.Get(k); {
		case got == nil:
			c.Put(k, sharedData(i))
		case !bytes.Equal(got, sharedData(i)):
			println("other bytes than were written of", i)
			os.Exit(1)
		case r.IntN(20) == 0:
			_ = os.Truncate(c.path(k.hash()), r.Int64N(2000))
		}
	}
	n := c.Counters()
	if n.Hits == 0 || n.Misses == 0 || n.Failed > 0 {
		println("hits", n.Hits, "misses", n.Misses, "failed", n.Failed)
		os.Exit(1)
	}
}

// Several processes that share a folder get what was written, and keep its bound.
func TestProcessesShareAFolder(t *testing.T) {
	dir := t.TempDir()
	const processes = 4
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			if output, err := process(t, "share", dir, i); err != nil {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
	all.Wait()
	paths, size := filesOf(t, dir)
	if len(paths) == 0 || size > sharedBytes+(processes-1)*sharedBytes/16 {
		t.Errorf("%d files, %d bytes", len(paths), size)
	}
	for _, path := range paths {
		if strings.Contains(path, unfinishedPrefix) {
			t.Errorf("%s stays", path)
		}
	}
}

// crash writes three files into a folder that has room for two of the old ones beside
// them, and ends at a step. With step 0, it only counts the steps.
func crash(dir string, at int) {
	c, err := OpenFolder(dir, 8*4096)
	if err != nil {
		panic(err)
	}
	steps := 0
	next := func() bool { steps++; return steps == at }
	c.step = func(string) {
		if next() {
			os.Exit(3)
		}
	}
	c.writer = func(w io.Writer) io.Writer {
		return writerFunc(func(b []byte) (int, error) {
			for i := range 4 { // in parts
				if _, err := w.Write(b[i*len(b)/4 : (i+1)*len(b)/4]); err != nil {
					return 0, err
				}
				if next() {
					os.Exit(3)
				}
			}
			return len(b), nil
		})
	}
	for i := 10; i < 13; i++ {
		c.Put(blockKey(i, 2000+i), sharedData(i))
	}
	if n := c.Counters(); n.Failed > 0 {
		panic("a file could not be written")
	}
	_, _ = os.Stdout.WriteString(strconv.Itoa(steps))
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A process that ends at any step of its work leaves a folder that others read right, and that
// loses what is half-written.
func TestCrashes(t *testing.T) {
	prepare := func() string {
		dir := t.TempDir()
		c := newFolder(t, dir, 1<<20)
		for i := range 8 {
			c.Put(blockKey(i, 2000+i), sharedData(i))
			age(t, c.path(blockKey(i, 2000+i).hash()), time.Duration(20-i)*time.Hour)
		}
		return dir
	}
	output, err := process(t, "crash", prepare(), 0)
	steps, _ := strconv.Atoi(output)
	if err != nil || steps < 20 {
		t.Fatalf("%d steps, %v: %s", steps, err, output)
	}
	kept := map[int]bool{} // how many of the new files
	for at := 1; at <= steps; at++ {
		dir := prepare()
		output, err := process(t, "crash", dir, at)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Fatalf("step %d: %v: %s", at, err, output)
		}
		c := newFolder(t, dir, 8*4096)
		found := 0
		for i := range 13 {
			got := c.Get(blockKey(i, 2000+i))
			if got != nil && !bytes.Equal(got, sharedData(i)) {
				t.Errorf("step %d: other bytes than were written", at)
			}
			if got != nil && i >= 10 {
				found++
			}
		}
		kept[found] = true
		if n := c.Counters(); n.Broken != 0 {
			t.Errorf("step %d: %+v", at, n) // a reader sees complete files only
		}
		paths, _ := filesOf(t, dir)
		for _, path := range paths {
			if strings.Contains(filepath.Base(path), unfinishedPrefix) {
				age(t, path, 2*unfinishedFor)
			}
		}
		for i := 20; i < 23; i++ {
			c.Put(blockKey(i, 2000+i), sharedData(i))
		}
		paths, size := filesOf(t, dir)
		if size > 8*4096 || c.Counters().Bytes != size {
			t.Errorf("step %d: %d bytes of %q, %+v", at, size, paths, c.Counters())
		}
		for _, path := range paths {
			if strings.Contains(path, unfinishedPrefix) {
				t.Errorf("step %d: %s stays", at, path)
			}
		}
	}
	if len(kept) != 4 {
		t.Errorf("numbers of files that were there after a crash: %v", kept)
	}
}
