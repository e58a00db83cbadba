package arrowscan_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// TestMutations reads damaged files: each gives valid records, then an error or the end.
func TestMutations(t *testing.T) {
	// Pages that inflate to more cost time, and show nothing else.
	query := scanner.Options{BatchRows: 100, MaxPageBytes: 1 << 20}
	names, small := soundFiles(t, query)
	random := rand.New(rand.NewPCG(1, 2))
	var refused, broken, sound int
	checked := memory.NewCheckedAllocator(memory.DefaultAllocator)
	for n := range dtest.Rounds(t, 5000) {
		i := random.IntN(len(small))
		f, err := scanner.OpenSource(t.Context(), names[i], fetch.FromBytes(dtest.Damaged(random, small[i])))
		if err != nil {
			refused++
			continue
		}
		query.IgnoreCRC = n%2 == 0
		records, err := readAs(t.Context(), f, query, arrowscan.Options{Strings: arrowscan.Strings(n % 3), WholeVariants: n%5 < 3, Allocator: checked})
		switch bad := (*invalid)(nil); {
		case errorsAs(err, &bad):
			t.Errorf("%s, round %d: %v", names[i], n, err)
		case err != nil:
			broken++
		default:
			sound++
		}
		release(records)
		f.Close()
	}
	checked.AssertSize(t, 0)
	t.Logf("of %d files, %d mutations were refused, %d read up to an error, %d read", len(small), refused, broken, sound)
	if all := refused + broken + sound; min(refused, broken, sound) < all/10 {
		t.Error("want some of each")
	}
}

// soundFiles returns the small files that can be read, and their bytes.
func soundFiles(t *testing.T, query scanner.Options) (names []string, all [][]byte) {
	for _, path := range files(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 32<<10 {
			continue
		}
		f, err := scanner.OpenSource(t.Context(), path, fetch.FromBytes(data))
		if err != nil {
			continue
		}
		records, err := readAs(t.Context(), f, query, arrowscan.Options{})
		if err == nil {
			names, all = append(names, path), append(all, data)
		}
		release(records)
		f.Close()
	}
	return names, all
}
