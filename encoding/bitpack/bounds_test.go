package bitpack

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestBoundsChecks compares the checks that the compiler leaves in the Go
// kernels with a list: one more in an inner loop is seen here first. The list
// is one compiler's, and written anew with -rewrite.
func TestBoundsChecks(t *testing.T) {
	if !strings.HasPrefix(runtime.Version(), "go1.26.") || runtime.GOARCH != "amd64" {
		t.Skip("the list was made with go1.26 on amd64, this is ", runtime.Version(), " on ", runtime.GOARCH)
	}
	if testing.Short() {
		t.Skip("compiles two packages")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	dtest.Run(t, "testdata/bounds-checks", func(t *testing.T, c *dtest.Case) string {
		build := exec.Command("go", "build", "-tags", "purego", "-gcflags=-d=ssa/check_bce", ".")
		build.Dir = c.String("package", ".")
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		found := make(map[string]int)
		for _, m := range regexp.MustCompile(`(?m)^(.*\.go):\d+:\d+: Found (\w+)$`).FindAllStringSubmatch(string(out), -1) {
			found[filepath.Base(m[1])+" "+m[2]]++
		}
		var lines []string
		for what, n := range found {
			lines = append(lines, fmt.Sprint(what, " ", n))
		}
		sort.Strings(lines)
		return strings.Join(lines, "\n")
	})
}
