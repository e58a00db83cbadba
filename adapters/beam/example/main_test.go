package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

// want is what pyarrow counts.
const want = "Aarhus,79 Brno,52 Cork,60 Ghent,68 Graz,66 Leeds,72 Lyon,67 Porto,47 Turku,66 Zadar,60"

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// The counts are those of pyarrow over the same file.
func TestPipeline(t *testing.T) {
	out := filepath.Join(t.TempDir(), "counts.txt")
	p, s := beam.NewPipelineWithRoot()
	build(s, "../../../testdata/orders.parquet", out, 2000)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	if got := strings.Join(lines, " "); got != want {
		t.Errorf("it wrote %s\nwant     %s", got, want)
	}
}
