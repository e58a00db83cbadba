package thrift

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// corpus returns the Parquet files that others wrote.
func corpus(tb testing.TB) (files []string) {
	tb.Helper()
	root := filepath.Join("..", "..", "shared", "corpus", "parquet-testing")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			files = append(files, path)
		}
		return err
	})
	switch {
	case err == nil && len(files) > 0:
	case os.Getenv("WINNOW_CORPUS_REQUIRED") == "1":
		tb.Fatal("no corpus: ", err)
	default:
		tb.Skip("no corpus: ", err)
	}
	return files
}

// footerBytes cuts the metadata out of a file; nil if it has none in plain.
func footerBytes(file []byte) []byte {
	end := len(file) - 8
	if end < 4 || string(file[end+4:]) != "PAR1" {
		return nil
	}
	n := int64(binary.LittleEndian.Uint32(file[end:]))
	if n > int64(end) {
		return nil
	}
	return file[end-int(n) : end]
}

// theirs decodes with generated code over the Thrift library's own protocol.
func theirs(b []byte, s apache.TStruct) (n int, err error) {
	buffer := apache.NewTMemoryBufferLen(len(b))
	buffer.Write(b)
	err = s.Read(context.Background(), apache.NewTCompactProtocolConf(buffer, nil))
	return len(b) - buffer.Len(), err
}

func TestCorpusAgainstGeneratedCode(t *testing.T) {
	read := map[string]int{}
	for _, path := range corpus(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b := footerBytes(file)
			if b == nil {
				t.Skip("no plain footer")
			}
			var w wire.FileMetaData
			n, err := theirs(b, &w)
			got, ours := readEverything(b)
			if err != nil || ours != nil {
				if (err == nil) != (ours == nil) {
					t.Fatalf("generated code: %v; ours: %v", err, ours)
				}
				t.Skip("bad footer: ", err)
			}
			sameFooter(t, "footer", got, &w)
			if f, _ := ParseFooter(b); f.Size != n {
				t.Errorf("footer takes %d bytes, want %d", f.Size, n)
			}
			var own wire.FileMetaData
			if m, err := strictly(b, &own); err != nil || m != n {
				t.Errorf("over our protocol: %d bytes, %v", m, err)
			}
			sameFooter(t, "footer over our protocol", got, &own)
			read["footers"]++
			for _, g := range w.RowGroups {
				for _, c := range g.Columns {
					compareParts(t, file, c, read)
				}
			}
		})
	}
	t.Log(read)
	for _, what := range []string{"footers", "page headers", "column indexes", "offset indexes", "Bloom headers"} {
		if read[what] == 0 {
			t.Error("corpus has no ", what)
		}
	}
}

// compareParts compares what lies around in the file and belongs to a chunk.
func compareParts(t *testing.T, file []byte, c *wire.ColumnChunk, read map[string]int) {
	part := func(offset, length int64) []byte {
		if offset <= 0 || length <= 0 || offset+length > int64(len(file)) {
			return nil
		}
		return file[offset : offset+length]
	}
	if b := part(c.GetOffsetIndexOffset(), int64(c.GetOffsetIndexLength())); b != nil && c.CryptoMetadata == nil {
		compareOffsetIndex(t, b)
		read["offset indexes"]++
	}
	if b := part(c.GetColumnIndexOffset(), int64(c.GetColumnIndexLength())); b != nil && c.CryptoMetadata == nil {
		compareColumnIndex(t, b)
		read["column indexes"]++
	}
	m := c.MetaData
	if m == nil || c.CryptoMetadata != nil {
		return
	}
	if m.BloomFilterOffset != nil {
		compareBloomFilterHeader(t, part(*m.BloomFilterOffset, int64(len(file))-*m.BloomFilterOffset))
		read["Bloom headers"]++
	}
	start := m.DataPageOffset
	if d := m.GetDictionaryPageOffset(); d > 0 {
		start = min(start, d)
	}
	end := start + m.TotalCompressedSize
	for range 1000 { // one file has 40,000
		if start >= end {
			return
		}
		b := part(start, end-start)
		if b == nil {
			return
		}
		h, n := comparePageHeader(t, b)
		if n == 0 {
			return // bad
		}
		start += int64(n) + int64(h.CompressedSize)
		read["page headers"]++
	}
}

// Each compare function wants the lean reader and generated code over our
// protocol to agree on what they accept, and all three decoders on values.

func comparePageHeader(tb testing.TB, b []byte) (h PageHeader, n int) {
	var w wire.PageHeader
	n, err := strictly(b, &w)
	m, lean := ReadPageHeader(b, &h)
	if agree(tb, "page header", b, err != nil || refused(&w), lean) {
		return h, 0
	}
	// With more bytes after it, another function reads it.
	var followed PageHeader
	l, err := ReadPageHeader(append(b[:n:n], make([]byte, 200)...), &followed)
	if err != nil {
		tb.Fatal("followed by a page: ", err)
	}
	sameLength(tb, l, n)
	same(tb, "page header before a page", followed, h)
	same(tb, "page header", h, pageHeaderOf(&w))
	sameLength(tb, m, n)
	theirsToo(tb, b, h, func(v *wire.PageHeader) any { return pageHeaderOf(v) })
	return h, n
}

func compareColumnIndex(tb testing.TB, b []byte) {
	var w wire.ColumnIndex
	n, err := strictly(b, &w)
	// Stale lists must not shine through.
	x := ColumnIndex{NullPages: []bool{true}, MinValues: [][]byte{{1}}, NullCounts: []int64{7}, NaNCounts: make([]int64, 3, 100)}
	m, lean := ReadColumnIndex(b, &x)
	if agree(tb, "column index", b, err != nil, lean) {
		return
	}
	same(tb, "column index", x, columnIndexOf(&w))
	sameLength(tb, m, n)
	theirsToo(tb, b, x, func(v *wire.ColumnIndex) any { return columnIndexOf(v) })
}

func compareOffsetIndex(tb testing.TB, b []byte) {
	var w wire.OffsetIndex
	n, err := strictly(b, &w)
	x := OffsetIndex{Pages: []PageLocation{{1, 2, 3}}, UnencodedBytes: []int64{7}}
	m, lean := ReadOffsetIndex(b, &x)
	if agree(tb, "offset index", b, err != nil, lean) {
		return
	}
	same(tb, "offset index", x, offsetIndexOf(&w))
	sameLength(tb, m, n)
	theirsToo(tb, b, x, func(v *wire.OffsetIndex) any { return offsetIndexOf(v) })
}

func compareBloomFilterHeader(tb testing.TB, b []byte) {
	var w wire.BloomFilterHeader
	n, err := strictly(b, &w)
	var h BloomFilterHeader
	m, lean := ReadBloomFilterHeader(b, &h)
	if agree(tb, "Bloom header", b, err != nil || w.NumBytes < 0, lean) {
		return
	}
	same(tb, "Bloom header", h, bloomFilterHeaderOf(&w))
	sameLength(tb, m, n)
	theirsToo(tb, b, h, func(v *wire.BloomFilterHeader) any { return bloomFilterHeaderOf(v) })
}

func compareFooter(tb testing.TB, b []byte) {
	var w wire.FileMetaData
	_, err := strictly(b, &w)
	got, lean := readEverything(b)
	if err != nil && lean == nil {
		// Of lists that are read lazily, and stand there twice, the first ones
		// are never looked at.
		tree, _ := parse(b, typeStruct, false)
		b = tree.once().emit(nil)
		w = wire.FileMetaData{}
		_, err = strictly(b, &w)
	}
	if agree(tb, "footer", b, err != nil, lean) {
		return
	}
	sameFooter(tb, "footer", got, &w)
	var v wire.FileMetaData
	if _, err := Decode(b, &v); err != nil {
		tb.Fatalf("the Thrift library refuses % x: %v", b[:min(len(b), 200)], err)
	}
	sameFooter(tb, "what the Thrift library reads", got, &v)
}

// agree fails unless both refuse or both accept, and tells which.
func agree(tb testing.TB, what string, b []byte, refuse bool, lean error) bool {
	tb.Helper()
	if refuse != (lean != nil) {
		tb.Fatalf("%s: want refused %v, got %v: % x", what, refuse, lean, b[:min(len(b), 200)])
	}
	if lean != nil {
		wantCorrupt(tb, lean)
	}
	return refuse
}

func sameLength(tb testing.TB, got, want int) {
	tb.Helper()
	if got != want {
		tb.Fatalf("took %d bytes, want %d", got, want)
	}
}

// theirsToo checks that Decode takes the bytes, too, and reads the same.
func theirsToo[T any, P interface {
	*T
	apache.TStruct
}](tb testing.TB, b []byte, got any, lean func(P) any) {
	tb.Helper()
	v := P(new(T))
	if _, err := Decode(b, v); err != nil {
		tb.Fatalf("the Thrift library refuses % x: %v", b[:min(len(b), 200)], err)
	}
	same(tb, "what the Thrift library reads", got, lean(v))
}
