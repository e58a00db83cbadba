package cli

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const clone = "v0.0.0-20261126141011-168cbf3fe91c"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "168cbf3"}, {Key: "vcs.time", Value: "2026-11-26T14:10:11Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tc := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{clone, vcs("false"), clone + ", revision 168cbf3 of 2026-11-26T14:10:11Z"},
		{clone + "+dirty", vcs("true"), clone + "+dirty, revision 168cbf3 of 2026-11-26T14:10:11Z, with changes that are not committed"},
		{"v1.2.0", nil, "v1.2.0"}, // go install MODULE@v1.2.0 has no clone
		{"(devel)", vcs("true"), "(devel), revision 168cbf3 of 2026-11-26T14:10:11Z, with changes that are not committed"}, // before Go 1.24
		{"(devel)", nil, "(devel), its revision was not recorded: go build records it in a clone, unless -buildvcs=false is set"},
		{"", nil, "(devel), its revision was not recorded: go build records it in a clone, unless -buildvcs=false is set"},
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: tc.version}, Settings: tc.settings}); got != tc.want {
			t.Errorf("%q with %v: %q", tc.version, tc.settings, got)
		}
	}
}

// Programs that are built in a clone name the revision that git names, and others say that they cannot.
func TestVersionOfPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	revision, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("this is no clone, or there is no git: ", err)
	}
	altered, err := exec.Command("git", "status", "--porcelain").Output()
	if err != nil {
		t.Fatal(err)
	}
	for vcs, want := range map[string]string{"true": ", revision " + strings.TrimSpace(string(revision)) + " of 20", "false": ", its revision was not recorded"} {
		program := filepath.Join(t.TempDir(), "scan.exe")
		if out, err := exec.Command("go", "build", "-buildvcs="+vcs, "-o", program, "../../cmd/scan").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(program, "version").Output()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("-buildvcs=%s: %q, %v", vcs, out, err)
		}
		if vcs == "true" && strings.Contains(string(out), "not committed") != (len(altered) > 0) {
			t.Errorf("%q, and git status says %q", out, altered)
		}
	}
}
