package icebergscan_test

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
)

// mutation is a file of a table that is to be damaged, and how.
type mutation struct {
	name   string // of the table
	path   string
	sound  []byte
	damage func(*rand.Rand, []byte) []byte
	reader *icebergscan.Reader
	tasks  []table.FileScanTask // that read the file
}

// TestMutations damages data files, delete files and deletion vectors: a scan ends with an error that
// names the file, or with rows; it neither panics nor hangs, nor allocates more than 64 MiB.
func TestMutations(t *testing.T) {
	var data, deletes, vectors []mutation
	for name, tbl := range tables.New(t.Context(), t.TempDir()).Samples() {
		r, tasks := reader(t, tbl.Table, icebergscan.Query{})
		for i := range tasks {
			one := tasks[i : i+1]
			add := func(to *[]mutation, files []iceberg.DataFile, damage func(*rand.Rand, []byte) []byte) {
				for _, f := range files {
					path := strings.TrimPrefix(f.FilePath(), "file://")
					sound, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					*to = append(*to, mutation{name, path, sound, damage, r, one})
				}
			}
			add(&data, []iceberg.DataFile{one[0].File}, dtest.Damaged)
			add(&deletes, one[0].DeleteFiles, dtest.Damaged)
			add(&deletes, one[0].EqualityDeleteFiles, dtest.Damaged)
			add(&vectors, one[0].DeletionVectorFiles, dtest.Damaged)
			for _, f := range one[0].DeletionVectorFiles {
				add(&vectors, []iceberg.DataFile{f}, damagedVector(*f.ContentOffset(), *f.ContentSizeInBytes()))
			}
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	var before, after runtime.MemStats
	for _, kind := range []struct {
		name  string
		files []mutation
		share float64
	}{{"data files", data, 0.4}, {"delete files", deletes, 0.3}, {"deletion vectors", vectors, 0.3}} {
		slices.SortStableFunc(kind.files, func(a, b mutation) int { return strings.Compare(a.path, b.path) })
		failed, read := 0, 0
		t.Run(kind.name, func(t *testing.T) {
			for n := range dtest.Rounds(t, int(2000*kind.share)) {
				m := kind.files[n%len(kind.files)]
				runtime.ReadMemStats(&before)
				err := m.run(t, random)
				runtime.ReadMemStats(&after)
				if b := after.TotalAlloc - before.TotalAlloc; b > 64<<20 {
					t.Errorf("round %d: %s: %d bytes were allocated: %v", n, m.path, b, err)
				}
				if err != nil {
					failed++
				} else {
					read++
				}
			}
			t.Logf("of %d %s, %d mutations ended in an error, %d were read", len(kind.files), kind.name, failed, read)
			if min(failed, read) < (failed+read)/20 {
				t.Error("want some of both")
			}
		})
	}
}

// run scans a table with a damaged file, and mends the file.
func (m *mutation) run(t *testing.T, random *rand.Rand) (err error) {
	t.Helper()
	if err := os.WriteFile(m.path, m.damage(random, m.sound), 0o644); err != nil {
		t.Fatal(err)
	}
	o := scanner.Options{MaxPageBytes: 1 << 20, IgnoreCRC: random.IntN(2) == 0}
	records, err := m.reader.Records(t.Context(), m.tasks, o, arrowscan.Options{})
	if err == nil {
		for records.Next() {
			if bad := valid(records.RecordBatch()); bad != nil {
				t.Errorf("%s: %s: %v", m.name, m.path, bad)
			}
		}
		err = records.Err()
		records.Release()
	}
	if err != nil && !strings.Contains(err.Error(), filepath.Base(m.path)) {
		t.Errorf("%s: the error does not name %s: %v", m.name, filepath.Base(m.path), err)
	}
	if err := os.WriteFile(m.path, m.sound, 0o644); err != nil {
		t.Fatal(err)
	}
	return err
}

// damagedVector damages the bitmap of one deletion vector in a Puffin file, and makes its checksum right:
//
//	length  magic  bitmap …  checksum of magic and bitmap
//	4       4      size-12   4
func damagedVector(offset, size int64) func(*rand.Rand, []byte) []byte {
	return func(r *rand.Rand, file []byte) []byte {
		file = slices.Clone(file)
		blob := file[offset : offset+size]
		bitmap := blob[8 : size-4]
		for range 1 + r.IntN(4) {
			at := r.IntN(min(len(bitmap), 40)) // counts and sizes are in front
			if r.IntN(2) == 0 {
				at = r.IntN(len(bitmap))
			}
			bitmap[at] = byte(r.Uint32())
		}
		binary.BigEndian.PutUint32(blob[size-4:], crc32.ChecksumIEEE(blob[4:size-4]))
		return file
	}
}
