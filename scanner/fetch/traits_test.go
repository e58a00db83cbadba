package fetch

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

var stated = Traits{
	Identity:  Identity{Name: "bucket/x", Size: 100, Modified: time.Unix(1e9, 17), Tag: "etag"},
	Latency:   20 * time.Millisecond,
	Bandwidth: 1 << 30,
}

// embedding is a host's wrapper.
type embedding struct{ Source }

func (e embedding) ReadRanges(ctx context.Context, r []Range, alloc Alloc) ([][]byte, error) {
	return e.Source.ReadRanges(ctx, r, alloc)
}

func TestWrappersKeepTraits(t *testing.T) {
	src := WithTraits(FromBytes(testBytes(100)), stated)
	for name, wrapped := range map[string]Source{
		"embedding": embedding{src}, "several": embedding{embedding{src}},
	} {
		if got := wrapped.Traits(); got != stated {
			t.Errorf("%s: %+v, want %+v", name, got, stated)
		}
	}
	for name, src := range map[string]Source{"FromBytes": FromBytes(nil), "FromReaderAt": FromReaderAt(bytes.NewReader(nil), 0)} {
		if got := src.Traits(); got != (Traits{}) {
			t.Errorf("%s: %+v, but nothing is known", name, got)
		}
	}
	if !Listens(src) || Listens(embedding{src}) {
		t.Errorf("memory listens: %v; a host's wrapper: %v", Listens(src), Listens(embedding{src}))
	}
}

// The identity of a local file is that of its present state.
func TestIdentityOfFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string, modified time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	then := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	write("one", then)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	first := IdentityOf(f)
	if !first.Known() || first.Name != path || first.Size != 3 || !first.Modified.Equal(then) {
		t.Errorf("%+v", first)
	}
	if now := IdentityOf(f); now != first {
		t.Errorf("%+v, but was %+v", now, first)
	}
	// A whole second later, as some file systems and emulators keep no more of a time.
	write("two", then.Add(time.Second))
	if now := IdentityOf(f); now.Same(first) {
		t.Errorf("written again, and still %+v", now)
	}
	write("three", then)
	if now := IdentityOf(f); now.Same(first) || now.Size != 5 || f.Size() != 3 {
		t.Errorf("longer, and still %+v", now)
	}
	f.Close()
	if now := f.Traits(); now != (Traits{}) {
		t.Errorf("closed, and still %+v", now)
	}

	// Another file at the same path, as those who write by renaming make it.
	if err := os.WriteFile(path+"2", []byte("one"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path+"2", then, then); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"2", path); err != nil {
		t.Fatal(err)
	}
	other, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if now := IdentityOf(other); first.Tag != "" && now.Same(first) {
		t.Errorf("another file, and still %+v", now)
	}
}

func TestIdentityOfFS(t *testing.T) {
	then := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	fsys := fstest.MapFS{"a": {Data: []byte("text"), ModTime: then}, "b": {Data: []byte("text")}}
	for name, want := range map[string]Identity{"a": {Name: "a", Size: 4, Modified: then}, "b": {Name: "b", Size: 4}} {
		src, closeFile, err := OpenFS(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		if got := IdentityOf(src); got != want || got.Known() != (name == "a") {
			t.Errorf("%s: %+v, known %v", name, got, got.Known())
		}
		closeFile()
	}
}

func TestSame(t *testing.T) {
	at := time.Unix(1e9, 0)
	for _, tc := range []struct {
		a, b Identity
		same bool
	}{
		{Identity{Size: 1}, Identity{Size: 1}, true},
		{Identity{Size: 1}, Identity{Size: 2}, false},
		{Identity{Name: "a"}, Identity{Name: "b"}, true},
		{Identity{Tag: "a"}, Identity{Tag: "b"}, false},
		{Identity{Tag: "a"}, Identity{Modified: at}, true},
		{Identity{Modified: at}, Identity{Modified: at.Add(1)}, false},
		{Identity{Modified: at}, Identity{Modified: at.In(time.FixedZone("", 3600))}, true},
	} {
		if got := tc.a.Same(tc.b); got != tc.same || tc.b.Same(tc.a) != got {
			t.Errorf("%+v and %+v: %v", tc.a, tc.b, got)
		}
	}
}

func TestReadAheadFollowsCost(t *testing.T) {
	for _, tc := range []struct {
		t    Traits
		want int64
	}{
		{Traits{}, 0},
		{Traits{Bandwidth: 1 << 30}, 0},
		{Traits{Latency: -time.Second}, 0},
		{Traits{Latency: time.Millisecond}, 32 << 20},
		{Traits{Latency: 10 * time.Millisecond, Bandwidth: 100e6}, 6e6},
		{Traits{Latency: 1, Bandwidth: 1}, 1},
		{Traits{Latency: time.Hour, Bandwidth: 1 << 62}, 256 << 20},
	} {
		if got := tc.t.ReadAhead(); got != tc.want {
			t.Errorf("%+v: %d, want %d", tc.t, got, tc.want)
		}
	}
}
