package scanner

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

func small(t *testing.T) []byte {
	return scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32), gen.Optional("b", gen.ByteArray)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1, "b": "x"}, gen.Record{"a": 2}}}},
	})
}

// withKey returns a small file whose footer has grown by about n bytes.
func withKey(t *testing.T, n int) []byte {
	f := gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"a": 1}}}},
	}
	f.KeyValues = map[string]string{"padding": strings.Repeat("x", n)}
	return scannertest.Write(t, f)
}

func TestFooterIsReadInOneTailRead(t *testing.T) {
	footerLength := func(b []byte) int { return int(binary.LittleEndian.Uint32(b[len(b)-8:])) }
	for _, tc := range []struct {
		name string
		file []byte
		want string // with the sizes of the file and of the missing part for S and M
	}{
		{"small file", small(t), "read 0+S\n"},
		{"long footer", withKey(t, 3_000), "read 0+S\n"},
		{"in the tail", append([]byte("PAR1"+strings.Repeat("\x00", 100_000)), withKey(t, 3_000)[4:]...), "read E+4096\n"},
		{"longer than the tail", withKey(t, 100_000), "read E+4096\nread F+M\n"},
	} {
		rec := record.Of(fetch.FromReaderAt(bytes.NewReader(tc.file), int64(len(tc.file))))
		f, err := OpenSource(t.Context(), "f", rec)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		n, start := footerLength(tc.file), f.FooterRange().Off
		if f.FooterRange() != (fetch.Range{Off: int64(len(tc.file) - 8 - n), Len: int64(n)}) {
			t.Errorf("%s: footer at %v", tc.name, f.FooterRange())
		}
		tail := int64(len(tc.file)) - 4096
		want := strings.NewReplacer("S", fetchInt(int64(len(tc.file))), "E", fetchInt(tail), "F", fetchInt(start), "M", fetchInt(tail-start)).Replace(tc.want)
		if got := rec.Text(); got != want {
			t.Errorf("%s: %s, want %s", tc.name, got, want)
		}
		if got := len(f.Schema().Leaves()); got == 0 || f.Footer().RowGroups[0].NumRows == 0 {
			t.Errorf("%s: %d columns", tc.name, got)
		}
		// A source of views gives the same.
		if g, err := OpenSource(t.Context(), "f", fetch.FromBytes(tc.file)); err != nil || g.Footer().NumRows != f.Footer().NumRows {
			t.Errorf("%s in memory: %v", tc.name, err)
		}
	}
}

func fetchInt(n int64) string { return strings.TrimSuffix(fetch.Range{Off: n}.String(), "+0") }

func TestFilesThatAreNone(t *testing.T) {
	good := small(t)
	patched := func(length int32, magic string) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[len(b)-8:], uint32(length))
		copy(b[len(b)-4:], magic)
		return b
	}
	for _, tc := range []struct {
		name string
		file []byte
		kind error
		want string
	}{
		{"empty", nil, ErrCorrupt, "0 bytes"},
		{"11 bytes", []byte("PAR1\x00\x00\x00PAR1"), ErrCorrupt, "11 bytes"},
		{"only magic", []byte("PAR1\x00\x00\x00\x00PAR1"), ErrCorrupt, "length of 0"},
		{"no magic", patched(10, "XXXX"), ErrCorrupt, "PAR1"},
		{"cut", good[:len(good)-1], ErrCorrupt, "PAR1"},
		{"encrypted", patched(10, "PARE"), ErrEncrypted, "encrypted"},
		{"length 0", patched(0, "PAR1"), ErrCorrupt, "length of 0"},
		{"length negative", patched(-5, "PAR1"), ErrCorrupt, "length of -5"},
		{"length of all", patched(int32(len(good)), "PAR1"), ErrCorrupt, "room"},
		{"length over the magic", patched(int32(len(good)-11), "PAR1"), ErrCorrupt, "room"},
		{"length too short", patched(5, "PAR1"), ErrCorrupt, "footer, byte"},
	} {
		_, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(tc.file))
		if !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "f.parquet: ") {
			t.Errorf("%s: %v", tc.name, err)
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: no *Error: %v", tc.name, err)
		}
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.parquet")
	if _, err := Open(t.Context(), path); !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), path) != 1 {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, small(t), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Name() != path || f.Footer().NumRows != 2 {
		t.Errorf("name %s, %d rows", f.Name(), f.Footer().NumRows)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Files of a file system are read like others, whether they can be read at an offset or not.
func TestOpenFS(t *testing.T) {
	b := scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"id": 7}, gen.Record{"id": 8}}}},
	})
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("d/f.parquet")
	if err == nil {
		_, err = w.Write(b)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"memory": fstest.MapFS{"d/f.parquet": {Data: b}}, "ZIP": archive} {
		src, closeFile, err := fetch.OpenFS(fsys, "d/f.parquet")
		if err != nil {
			t.Fatal(name, err)
		}
		f, err := OpenSource(t.Context(), "d/f.parquet", src)
		if err != nil {
			t.Fatal(name, err)
		}
		f.OnClose(closeFile)
		if got := lines(t, f, Options{}); !slices.Equal(got, []string{`{"id":7}`, `{"id":8}`}) {
			t.Errorf("%s: %q", name, got)
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, missing := range []string{"d/g.parquet", "d"} {
			if _, _, err = fetch.OpenFS(fsys, missing); err == nil || missing != "d" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s, %s: %v", name, missing, err)
			}
		}
	}
}
