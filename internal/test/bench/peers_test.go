package bench

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain makes the test binary a peer where the environment says so: it has the answers that the name
// of the workload's file asks for.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_FAKE_PEER") == "" {
		os.Exit(m.Run())
	}
	fmt.Println(`{"version": "1.` + os.Getenv("BENCH_THREADS") + `"}`)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked struct {
			File    string
			Columns []string
			Where   any
			Count   bool
		}
		if json.Unmarshal(lines.Bytes(), &asked) != nil {
			os.Exit(1)
		}
		switch filepath.Base(asked.File) {
		case "dies":
			os.Exit(3)
		case "refuses":
			fmt.Println(`{"error": "no such type"}`)
		case "cannot":
			fmt.Println(`{"unable": "no such condition"}`)
		case "wrong":
			fmt.Println(`{"wall_ms": 1, "cpu_ms": 1, "rows": 5, "sums": {"a": [5, 8]}}`)
		default:
			where, _ := json.Marshal(asked.Where)
			fmt.Printf(`{"wall_ms": 3, "cpu_ms": 2, "rows": %d, "sums": {"a": [5, 7.5]}}`+"\n", 10*len(asked.Columns)+len(where))
		}
	}
	os.Exit(0)
}

func fakePeer(t *testing.T, args ...string) (peers []*Peer, absent []string) {
	t.Helper()
	t.Setenv("BENCH_FAKE_PEER", "1")
	return startPeers(t, append(args, "--peer", "fake="+os.Args[0])...)
}

func startPeers(t *testing.T, args ...string) (peers []*Peer, absent []string) {
	t.Helper()
	var f peerFlags
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	f.register(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	peers, absent, err := f.start(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(peers) })
	return peers, absent
}

// workloadOf reads a workload as a list has it.
func workloadOf(t *testing.T, text string) *Workload {
	t.Helper()
	w := &Workload{}
	if err := json.Unmarshal([]byte(text), w); err != nil {
		t.Fatal(err)
	}
	return w
}

// A peer is asked for columns and a condition, and takes turns with the times that it tells. One that
// answers differently, refuses or dies is an error that names it, and it answers the next question.
func TestPeer(t *testing.T) {
	peers, absent := fakePeer(t)
	if len(peers) != 1 || len(absent) != 0 || peers[0].Name != "fake" || peers[0].Version != "1.3" {
		t.Fatalf("%v, %v", peers, absent)
	}
	p := peers[0]
	tree := `{"op":"eq","col":"a","value":1.50}`
	w := workloadOf(t, `{"file": "good", "project": ["a", "b"], "where": `+tree+`}`)
	want := []*row{{Rows: 20 + int64(len(`{"col":"a","op":"eq","value":1.5}`)), Sums: map[string]Sum{"a": {5, 7.5}}}}
	var err error
	for _, c := range []struct{ file, fault string }{
		{"good", ""}, {"wrong", "fake: rows 5, want 53"}, {"refuses", "fake: no such type"}, {"dies", "fake: the process ended without an answer"}, {"good", ""},
	} {
		w.File = c.file
		got := &row{}
		got.again, err = p.entrant().start(t.Context(), w, got, want)
		if c.fault != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %s", c.file, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		(&turns{rounds: 2, budget: 1e9}).take(t.Context(), []*row{got})
		if !slices.Equal(got.CPU, []float64{2, 2}) || !slices.Equal(got.Wall, []float64{3, 3}) || got.Error != "" {
			t.Errorf("times %v, %v, error %q", got.CPU, got.Wall, got.Error)
		}
	}
}

// A peer that does not understand a scan has a line that says so, and is no failure.
func TestPeerThatIsUnable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(samples, "lineitems.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cannot")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_FAKE_PEER", "1")
	args := []string{file, "--count", "--engines", "scan", "--iters", "1", "--peer", "fake=" + os.Args[0]}
	all := rows(t, exitOK, args...)
	if len(all) != 2 || !all[0].OK || all[1].OK || all[1].Error != "fake: cannot be asked: no such condition" {
		t.Errorf("%+v", all)
	}
	var out strings.Builder
	if code := Run(t.Context(), args, &out, io.Discard); code != exitOK || !strings.HasSuffix(out.String(), "\ncannot, fake: cannot be asked: no such condition\n") {
		t.Errorf("exit code %d\n%s", code, &out)
	}
}

// A peer that is named must be there; engines that Python lacks are told.
func TestPeersThatAreAbsent(t *testing.T) {
	f := peerFlags{python: "python3", commands: []string{"gone=no-such-program"}}
	if _, _, err := f.start(t.Context(), 1); err == nil || !strings.HasPrefix(err.Error(), "gone: ") {
		t.Errorf("%v", err)
	}
	for want, f := range map[string]peerFlags{
		"exec: \"no-such-python\"": {installed: true, python: "no-such-python"}, "--python goes with --peers": {python: "no-such-python"},
	} {
		if _, _, err := f.start(t.Context(), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	peers, absent := fakePeer(t, "--peers", "--python", "no-such-python")
	if len(peers) != 1 || len(absent) != 1 || !strings.Contains(absent[0], "no-such-python") {
		t.Errorf("%v, %v", peers, absent)
	}
	for _, bad := range []string{"fake", "=x", "fake= "} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		(&peerFlags{}).register(fs)
		if err := fs.Parse([]string{"--peer", bad}); err == nil {
			t.Errorf("--peer %q is taken", bad)
		}
	}
}

// pythonWithEngines returns an interpreter that can import an engine, or skips the test.
func pythonWithEngines(t *testing.T) string {
	t.Helper()
	home, _ := os.UserHomeDir()
	for _, python := range []string{os.Getenv("BENCH_PYTHON"), filepath.Join(home, ".cache/winnow-ci/python/bin/python"), "python3"} {
		if python != "" && exec.Command(python, "-c", "import pyarrow").Run() == nil {
			return python
		}
	}
	t.Skip("no Python here can import pyarrow; BENCH_PYTHON names an interpreter")
	return ""
}

// The engines that are installed have the answers of workloads.json, which are pyarrow's, and those of a
// condition as text.
func TestPeersOfPython(t *testing.T) {
	python := pythonWithEngines(t)
	peers, absent := startPeers(t, "--peers", "--python", python)
	t.Logf("absent: %q", absent)
	list, err := Read("testdata/workloads.json", samples)
	if err != nil {
		t.Fatal(err)
	}
	count := workloadOf(t, `{"file": "`+samples+`/lineitems.parquet", "project": [], "where": "quantity = 7", "rows": 419}`)
	for _, p := range peers {
		asked := 0
		for _, w := range append(list, count) {
			if w.Rows == nil || slices.ContainsFunc(w.Project, func(name string) bool { return strings.Contains(name, ".") }) {
				continue // fields of nested columns are not asked of peers
			}
			if w == count && p.Name == "pyarrow" {
				continue // it takes no text
			}
			asked++
			if _, err := p.entrant().start(t.Context(), w, &row{}, []*row{{Rows: *w.Rows, Sums: w.Sums}}); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
		}
		if asked < 4 {
			t.Errorf("%s was asked %d times", p.Name, asked)
		}
	}
}
