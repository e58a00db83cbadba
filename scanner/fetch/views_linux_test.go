//go:build amd64 || arm64 || s390x

package fetch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// onDisk returns a file with bytes.
func onDisk(t *testing.T, data []byte) (path string, f *File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return path, f
}

// isMapped asks the system whether a file is mapped by this process.
func isMapped(t *testing.T, path string) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(maps, []byte(path))
}

func TestViewsShowWhatIsThere(t *testing.T) {
	data := testBytes(100_001)
	path, f := onDisk(t, data)
	if isMapped(t, path) {
		t.Error("mapped before anyone wants it")
	}
	v := f.Views()
	if v == nil {
		t.Skip("files cannot be mapped here")
	}
	defer v.Close()
	for _, r := range []Range{{0, 0}, {0, 1}, {4095, 2}, {100_000, 1}, {100_001, 0}, {0, 100_001}, {50_000, 20_000}} {
		b, err := v.View(r)
		if err != nil || !bytes.Equal(b, data[r.Off:r.End()]) || cap(b) > len(data)-int(r.Off) {
			t.Errorf("%v: %d bytes of %d, %v", r, len(b), cap(b), err)
		}
	}
	for _, r := range []Range{{-1, 2}, {0, -1}, {0, 100_002}, {100_002, 0}, {1 << 62, 1 << 62}} {
		if b, err := v.View(r); err == nil {
			t.Errorf("%v: %d bytes", r, len(b))
		}
	}
	for address, want := range map[uintptr]int64{v.base: 0, v.base + 100_000: 100_000, v.base + 100_001: -1, v.base - 1: -1, 0: -1, ^uintptr(0): -1} {
		off, ok := v.Offset(address)
		if ok != (want >= 0) || ok && off != want {
			t.Errorf("address %#x: %d, %v, want %d", address, off, ok, want)
		}
	}
}

// The mapping ends when the file is closed and nobody looks at it any more.
func TestMappingEndsWithItsUsers(t *testing.T) {
	data := testBytes(10_000)
	path, f := onDisk(t, data)
	a, b := f.Views(), f.Views()
	if a == nil || b == nil {
		t.Skip("files cannot be mapped here")
	}
	view, err := b.View(Range{0, 10_000})
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	f.Close()
	if !bytes.Equal(view, data) {
		t.Error("other bytes in a closed file")
	}
	if f.Views() != nil {
		t.Error("views of a closed file")
	}
	if err := b.Intact(); !errors.Is(err, os.ErrClosed) {
		t.Error("a closed file is intact:", err)
	}
	b.Close()
	if isMapped(t, path) {
		t.Error("mapped after all was closed")
	}
	if _, err := b.View(Range{0, 1}); err == nil {
		t.Error("closed views show something")
	}

	path, f = onDisk(t, data)
	f.Views().Close()
	if !isMapped(t, path) {
		t.Error("not mapped for the next scan")
	}
	f.Close()
	if isMapped(t, path) {
		t.Error("mapped after Close")
	}
}

func TestViewsAreIntactWhileTheFileIs(t *testing.T) {
	data := testBytes(10_000)
	path, f := onDisk(t, data)
	v := f.Views()
	if v == nil {
		t.Skip("files cannot be mapped here")
	}
	defer v.Close()
	if _, err := v.View(Range{0, 5000}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		size   int64
		intact bool
	}{{10_000, true}, {20_000, true}, {5000, true}, {4999, false}, {0, false}, {5000, true}} {
		if err := os.Truncate(path, tc.size); err != nil {
			t.Fatal(err)
		}
		if err := v.Intact(); (err == nil) != tc.intact || !tc.intact && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", tc.size, err)
		}
	}
}

func TestNothingToMap(t *testing.T) {
	_, f := onDisk(t, nil)
	if v := f.Views(); v != nil {
		t.Error("an empty file has views")
	}
}

func TestViewsOfManyGoroutines(t *testing.T) {
	data := testBytes(100_000)
	path, f := onDisk(t, data)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				v := f.Views()
				if v == nil {
					return // it is closed
				}
				r := Range{int64(i) * 10_000, 20_000}
				if b, err := v.View(r); err != nil || !bytes.Equal(b, data[r.Off:r.End()]) {
					t.Error(i, err)
				}
				v.Close()
			}
		})
	}
	f.Close()
	all.Wait()
	if isMapped(t, path) {
		t.Error("mapped after all was closed")
	}
}
