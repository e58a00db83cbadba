package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/knobs"
)

const samples = "../../../testdata"

// rows runs a command line that prints JSON, and returns its lines.
func rows(t *testing.T, wantCode int, args ...string) []row {
	t.Helper()
	var out, errors strings.Builder
	if code := Run(t.Context(), append(args, "--json"), &out, &errors); code != wantCode {
		t.Fatalf("bench %v: exit code %d, want %d\n%s%s", args, code, wantCode, &out, &errors)
	}
	var all []row
	d := json.NewDecoder(strings.NewReader(out.String()))
	d.DisallowUnknownFields()
	for {
		var r row
		if err := d.Decode(&r); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		all = append(all, r)
	}
}

// The sums in testdata are pyarrow's.
func TestWorkloads(t *testing.T) {
	all := rows(t, exitOK, "--workloads", "testdata/workloads.json", "--data", samples, "--threads", "1,2", "--iters", "2")
	if len(all) != 16 {
		t.Errorf("%d lines for 8 workloads and 2 numbers of threads", len(all))
	}
	for _, r := range all {
		if r.Engine != "scan" || !r.OK || r.Error != "" || r.Wall[0] <= 0 || len(r.CPU) != len(r.Wall) {
			t.Errorf("%+v", r)
		}
	}
}

// Scans that are forced stand beside the one that chooses, with the same answer. One that searches for no
// proofs decodes more pages.
func TestForce(t *testing.T) {
	args := []string{"--workloads", "testdata/workloads.json", "--data", samples, "--only", "range", "--iters", "1"}
	all := rows(t, exitOK, append(args, "--force", "in-order,unproven")...)
	if len(all) != 3 || all[1].Engine != "in-order" || all[2].Engine != "unproven" {
		t.Fatalf("%+v", all)
	}
	if all[0].Pages.Decoded >= all[2].Pages.Decoded {
		t.Errorf("%d pages decoded, and %d without proofs", all[0].Pages.Decoded, all[2].Pages.Decoded)
	}
	list, err := Read("testdata/workloads.json", samples)
	if err != nil {
		t.Fatal(err)
	}
	list[0].Rows = nil
	_, err = forcedScans()[0].entrant().start(t.Context(), list[0], &row{Threads: 1}, []*row{{Rows: 1}})
	if err == nil || !strings.HasPrefix(err.Error(), "runs differ: rows ") {
		t.Errorf("an answer that differs from that of the first scan: %v", err)
	}
	if all := rows(t, exitOK, append(args, "--force", "all")...); len(all) != 1+len(forcedScans()) {
		t.Errorf("%d scans, of which %d are forced", len(all), len(forcedScans()))
	}
}

// Each forced scan is told something else.
func TestForcedScans(t *testing.T) {
	told := map[string]string{fmt.Sprintf("%+v", knobs.Knobs{}): "scan"}
	for _, s := range forcedScans() {
		var k knobs.Knobs
		s.force(&k)
		text := fmt.Sprintf("%+v", k)
		if told[text] != "" {
			t.Errorf("%s is the same as %s", s.name, told[text])
		}
		told[text] = s.name
	}
}

// A file without the workload's own rows and sums shows what was found.
func TestOwnFile(t *testing.T) {
	file := filepath.Join(samples, "lineitems.parquet")
	all := rows(t, exitOK, file, "--select", `line_number,"discount",comment`, "--iters", "1", "--engines", "scan",
		"--where", "ship_date >= DATE '1995-01-01' AND ship_date < DATE '1995-03-01' AND discount >= 0.05 AND quantity <> 7")
	want := map[string]Sum{"line_number": {N: 263, Total: 718}, `"discount"`: {N: 263, Total: 19.61}, "comment": {N: 229, Total: 4818}}
	if len(all) != 1 || all[0].Rows != 263 || !maps.EqualFunc(all[0].Sums, want, Sum.Near) {
		t.Errorf("%+v", all)
	}
	if r := all[0]; r.Read <= 0 || r.Reads <= 0 || r.Pages.Decoded == 0 {
		t.Errorf("nothing was counted: %+v", r)
	}
	for args, rows := range map[string]int64{"": 20000, "--where=quantity=7": 419} {
		var out, errors strings.Builder
		if code := Run(t.Context(), append(slices.DeleteFunc([]string{args}, func(s string) bool { return s == "" }), file, "--count"), &out, &errors); code != exitOK {
			t.Fatalf("exit code %d: %s", code, &errors)
		}
		lines := strings.Split(out.String(), "\n")
		if fields := strings.Fields(lines[1]); len(fields) < 10 || fields[0] != "lineitems.parquet" || fields[3] != strconv.FormatInt(rows, 10) {
			t.Errorf("%q: want %d rows\n%s", args, rows, &out)
		}
	}
}

// A file that no scan can begin to read is one line of error, and no table.
func TestFileThatCannotBeScanned(t *testing.T) {
	file := filepath.Join(samples, "lineitems.parquet")
	for want, args := range map[string][]string{
		"no such file": {"missing.parquet"}, "not a Parquet file": {"bench.go"}, "no column nothing": {file, "--select", "nothing"}, "no column quantty; there is quantity": {file, "--select", "quantty"}, "shipdate": {file, "--where", "shipdate > 1"},
	} {
		var out, errors strings.Builder
		if code := Run(t.Context(), args, &out, &errors); code != exitFailed || out.Len() > 0 || strings.Count(errors.String(), "\n") != 1 || !strings.Contains(errors.String(), want) {
			t.Errorf("bench %q: exit code %d, %q, want %q\n%s", args, code, &errors, want, &out)
		}
	}
}

// What is wrong is one line, and the others come.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(filepath.Join(samples, "weblog.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	broken := slices.Clone(good)
	clear(broken[4 : len(broken)/2]) // pages, not the footer
	for name, data := range map[string][]byte{"good.parquet": good, "broken.parquet": broken, "cut.parquet": good[:100]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(dir, "list.json")
	text := `{"workloads": [
		{"name": "rows", "file": "good.parquet", "project": ["status"], "where": null, "rows": 19999},
		{"name": "sum", "file": "good.parquet", "project": ["status"], "rows": 20000, "sums": {"status": [20000, 5]}},
		{"name": "column", "file": "good.parquet", "project": ["status"], "sums": {"bytes": [20000, 5]}},
		{"name": "broken", "file": "broken.parquet", "project": ["url"]},
		{"name": "cut", "file": "cut.parquet", "project": []},
		{"name": "missing", "file": "missing.parquet"},
		{"name": "no column", "file": "good.parquet", "project": ["nothing"]},
		{"name": "condition", "file": "good.parquet", "project": ["url"], "where": "url > 5"},
		{"name": "right", "file": "good.parquet", "project": ["status"], "rows": 20000}
	]}`
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"rows": "rows 20000, want 19999", "sum": "status: [20000, ", "column": "bytes: no such column",
		"broken": "broken.parquet: row group 0", "cut": "cut.parquet", "missing": "missing.parquet",
		"no column": "nothing", "condition": "url", "right": "",
	}
	all := rows(t, exitFailed, "--workloads", list, "--data", dir, "--iters", "1")
	if len(all) != len(want) {
		t.Errorf("%d lines, want %d", len(all), len(want))
	}
	for _, r := range all {
		if message := want[r.Workload]; !strings.Contains(r.Error, message) || r.OK != (message == "") || (r.Error == "") != r.OK {
			t.Errorf("%s: ok %v, error %q, want %q", r.Workload, r.OK, r.Error, message)
		}
	}
	if all = rows(t, exitOK, "--workloads", list, "--data", dir, "--only", "right"); len(all) != 1 || !all[0].OK {
		t.Errorf("--only right: %+v", all)
	}
}

// Two runs with different answers are an error, whatever was expected.
func TestDiffers(t *testing.T) {
	a := &Answer{Rows: 3, Sums: map[string]Sum{"x": {N: 3, Total: 1.5}}}
	if err := a.differs(&Answer{Rows: 3, Sums: map[string]Sum{"x": {N: 3, Total: 1.5}}}); err != nil {
		t.Error(err)
	}
	for _, b := range []*Answer{{Rows: 4, Sums: a.Sums}, {Rows: 3, Sums: map[string]Sum{"x": {N: 3, Total: 1.6}}}} {
		if err := a.differs(b); err == nil || !strings.HasPrefix(err.Error(), "runs differ: ") {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--rows 999":                            "want 1000 at least",
		"--threads 1,2":                         "want one number",
		"--engines scan":                        "go with a file or --workloads",
		"a --html b":                            "not with a file or --workloads",
		"a --workloads testdata/workloads.json": "not both",
		"--html missing/b":                      "stat missing: no such file",
		"--workloads bench.go":                  "bench.go is not a list of workloads in JSON",
		"sweep a":                               "takes none",
		"sweep --cells 0":                       "--rounds, --cells: want one at least",
		"sweep --rows 999":                      "--rows: want 1000 at least",
		"a b":                                   "one file at a time",
		"a --threads 0":                         "want numbers from 1 to 1024",
		"a --where x=":                          "--where: filter, byte 3",
		"a --only q":                            "--only goes with --workloads",
		"--workloads testdata/workloads.json --only absent": `no workload "absent"`,
		"--workloads testdata/workloads.json --count":       "go with a file",
		"--workloads testdata/missing.json":                 "missing.json",
		"a --force luck":                                    `--force: no scan "luck"`,
		"a --iters 0":                                       "want one at least",
		"a --nonsense":                                      "flag provided but not defined",
		"a --engines other":                                 `--engines: no scan "other"`,
	} {
		var out, errors strings.Builder
		if code := Run(t.Context(), strings.Fields(args), &out, &errors); code != exitUsage || !strings.Contains(errors.String(), want) || strings.Count(errors.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("bench %s: exit code %d, %q, want %q\n%s", args, code, &errors, want, &out)
		}
	}
	for _, args := range []string{"--help", "help", "sweep --help"} {
		var errors strings.Builder
		if code := Run(t.Context(), strings.Fields(args), io.Discard, &errors); code != exitOK || !strings.Contains(errors.String(), "-peers") {
			t.Errorf("%s: exit code %d\n%s", args, code, &errors)
		}
	}
}

func TestProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cpu")
	rows(t, exitOK, filepath.Join(samples, "weblog.parquet"), "--iters", "1", "--cpuprofile", path)
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("no profile: %v", err)
	}
}

func TestMedian(t *testing.T) {
	for want, list := range map[float64][]float64{3: {9, 1, 3}, 2.5: {9, 1, 3, 2}, 7: {7}} {
		if got := median(list); got != want {
			t.Errorf("%v: %v, want %v", list, got, want)
		}
	}
}
