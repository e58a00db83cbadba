package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// The manual page has each command's help, as man prints it.
func TestManual(t *testing.T) {
	page, stderr, code := runScan(t, t.Context(), "manual")
	if code != 0 || !strings.HasPrefix(page, ".TH SCAN 1\n") {
		t.Fatalf("%d, %s, %.80s", code, stderr, page)
	}
	for _, c := range scan().commands().Rows {
		if c.Print == nil && !strings.Contains(page, "\n.SS "+c.Name+"\n") {
			t.Errorf("no section on %s", c.Name)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".S") && !strings.HasPrefix(line, ".T") && line != ".nf\n" && line != ".fi\n" {
			t.Errorf("a line that man takes for a request: %q", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff to show it")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-P", "-cbou", "-ww", "-Kutf8")
	cmd.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil || warnings.Len() > 0 {
		t.Errorf("%v: %s", err, warnings.String())
	}
	for _, want := range []string{"COMMANDS", "--where", "scan explain --analyze"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not shown", want)
		}
	}
}
