//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mostAtStart is how many allocations packages make before main: 638 of them and 163 kB, as
// measured with Go 1.26. Tables that are built then are work of each command, also of --help.
const (
	mostAtStart      = 900
	mostBytesAtStart = 250_000
)

// Little is done before a command begins.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	scan := filepath.Join(t.TempDir(), "scan")
	if out, err := exec.Command("go", "build", "-race=false", "-o", scan, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(scan, "--help")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocations := 0, 0, 0
	for line := range strings.Lines(said.String()) {
		if m := regexp.MustCompile(`^init \S+ .* (\d+) bytes, (\d+) allocs`).FindStringSubmatch(line); m != nil {
			b, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			packages, bytes, allocations = packages+1, bytes+b, allocations+n
		}
	}
	if packages < 20 || allocations > mostAtStart || bytes > mostBytesAtStart {
		t.Errorf("%d packages make %d allocations, %d bytes:\n%s", packages, allocations, bytes, said.String())
	}
}
