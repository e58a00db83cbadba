//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

const goodFile, badFile = "../../testdata/orders.parquet", "../../testdata/bad/crc_v1.parquet"

// leftIn returns the names of the files in a folder.
func leftIn(t *testing.T, dir string) string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestOutputStaysWhereAnythingFails(t *testing.T) {
	for _, args := range [][]string{
		{"cat", badFile},
		{"cat", goodFile, badFile},
		{"cat", "--format", "json", badFile, goodFile},
		{"cat", "none.parquet"},
		{"head", "--format", "csv", goodFile, "none*.parquet"},
		{"count", "-w", "no_such = 1", goodFile},
		{"pages", badFile},
		{"min", "k", goodFile},
	} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		args = append(args, "-o", out)
		for _, was := range []string{"", "what was there\n"} {
			if was != "" {
				if err := os.WriteFile(out, []byte(was), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, stderr, code := runScan(t, t.Context(), args...)
			if code == 0 || stderr == "" {
				t.Errorf("%v: exit code %d, %q", args, code, stderr)
			}
			if code == exitBadFile && !strings.Contains(stderr, "scan: -o "+out+": not written, since not everything could be read\n") {
				t.Errorf("%v: %q", args, stderr)
			}
			if was == "" {
				if left := leftIn(t, dir); left != "" {
					t.Errorf("%v: there is %s", args, left)
				}
				continue
			}
			if now, err := os.ReadFile(out); err != nil || string(now) != was || leftIn(t, dir) != "out" {
				t.Errorf("%v: it has %.100q, %v, beside %s", args, now, err, leftIn(t, dir))
			}
		}
	}
}

func TestOutputKeepsPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666, 0o444} {
		name := path("old.jsonl")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := runScan(t, t.Context(), "count", "-o", name, goodFile); code != 0 {
			t.Fatal(code, stderr)
		}
		if info, err := os.Stat(name); err != nil || info.Mode() != mode || info.Size() < 10 {
			t.Errorf("%v: now %v, %v", mode, info.Mode(), err)
		}
	}
	// A new file has the permissions that any new file has.
	plain, err := os.OpenFile(path("plain"), os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	plain.Close()
	if _, stderr, code := runScan(t, t.Context(), "count", "-o", path("new"), goodFile); code != 0 {
		t.Fatal(code, stderr)
	}
	a, errA := os.Stat(path("plain"))
	b, errB := os.Stat(path("new"))
	if errA != nil || errB != nil || a.Mode() != b.Mode() {
		t.Errorf("%v and %v, %v %v", a, b, errA, errB)
	}
	// Links stay, and lead to the new contents, of files that are and are not there.
	if err := os.MkdirAll(path("far/away"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"one": "old.jsonl", "two": "far/three", "far/three": "away/new", "far/four": path("far/away/absolute")} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"one": "old.jsonl", "two": "far/away/new", "far/four": "far/away/absolute"} {
		_, stderr, code := runScan(t, t.Context(), "count", "-o", path(link), goodFile)
		at, err := os.Lstat(path(link))
		if code != 0 || err != nil || at.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: exit code %d, %s: %v, %v", link, code, stderr, at, err)
		}
		if got, err := os.ReadFile(path(to)); err != nil || string(got) != "{\"file\":\""+goodFile+"\",\"rows\":3000}\n" {
			t.Errorf("%s: %q, %v", to, got, err)
		}
	}
	if err := os.Symlink("round", path("round")); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := runScan(t, t.Context(), "count", "-o", path("round"), goodFile); code == 0 || !strings.Contains(stderr, "too many levels of symbolic links") {
		t.Errorf("a link to itself: exit code %d, %s", code, stderr)
	}
	if left := leftIn(t, path("far/away")); left != "absolute new" {
		t.Errorf("there is %s", left)
	}
}

// Pipes and devices are written to, whatever their names end in.
func TestOutputToPipesAndDevices(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.fifo")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(pipe)
		if err != nil {
			b = []byte(err.Error())
		}
		got <- string(b)
	}()
	if _, stderr, code := runScan(t, t.Context(), "count", "-o", pipe, goodFile); code != 0 {
		t.Fatal(code, stderr)
	}
	if text := <-got; text != "{\"file\":\""+goodFile+"\",\"rows\":3000}\n" {
		t.Errorf("through the pipe came %q", text)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info, err)
	}
	for _, args := range [][]string{{"count", "-o", os.DevNull, goodFile}, {"cat", "-o", os.DevNull, goodFile}} {
		if _, stderr, code := runScan(t, t.Context(), args...); code != 0 {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Errorf("%s is %v, %v", os.DevNull, info, err)
	}
	// Nobody reads: whoever interrupts is heard all the same.
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, stderr, code := runScan(t, ctx, "count", "-o", pipe, goodFile); code != exitInterrupted || stderr != "" {
		t.Errorf("a pipe that nobody reads: exit code %d, %q", code, stderr)
	}
	// The open that waits in vain ends with its reader.
	f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		f.Close()
	}
}

// scanIn makes a command line of a shell, in which $scan is this program.
func scanIn(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dtest.HeedSignals(t)
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), asScan+"=1", "scan="+program, "good="+goodFile)
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	return cmd
}

func TestClosedStandardOutput(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		script string
		code   int
		says   string
	}{
		{`"$scan" cat "$good" >&-`, exitUsage, "standard output is closed"},
		{`"$scan" cat "$good" -o - >&-`, exitUsage, "standard output is closed"},
		{`"$scan" count --format table "$good" >&-`, exitUsage, "standard output is closed"},
		{`"$scan" cat "$good" </dev/null >&-`, exitUsage, "standard output is closed"},
		{`exec >&-; "$scan" cat "$good"`, exitUsage, "standard output is closed"},
		{`"$scan" help >&-`, exitBadFile, "file already closed"},
		{`"$scan" cat "$good" >/dev/null`, 0, ""},
		{`exec 1<>/dev/null; "$scan" cat "$good"`, 0, ""},
		{`"$scan" cat "$good" <>/dev/null >&0`, 0, ""},
		{`"$scan" cat "$good" <>/dev/null >&0 2>&0`, 0, ""},
		{`"$scan" cat "$good" </dev/null 1<>/dev/null 2>&1`, 0, ""},
		{`"$scan" count -o ` + dir + `/out.json "$good" >&-`, 0, ""},
		{`"$scan" cat "$good" -o /dev/null >&-`, 0, ""},
		{`"$scan" cat "$good" 1</dev/null`, exitBadFile, "bad file descriptor"},
	} {
		cmd := scanIn(t, c.script+"; exit $?") // so that the shell stays its parent
		var said strings.Builder
		cmd.Stderr = &said
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.code || !strings.Contains(said.String(), c.says) || c.says == "" && said.Len() > 0 {
			t.Errorf("%s: exit code %d, %q", c.script, got, said.String())
		}
	}
	if left := leftIn(t, dir); left != "out.json" {
		t.Errorf("there is %s", left)
	}
}

// TestNullOutput: programs open /dev/null for reading and writing to throw an answer away, as
// Python's subprocess.DEVNULL is.
func TestNullOutput(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, script := range []string{`exec "$scan" cat "$good"`, `"$scan" cat "$good"; exit $?`} {
		cmd := scanIn(t, script)
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = null, &said
		if err := cmd.Run(); err != nil || said.Len() > 0 {
			t.Errorf("%s: %v, %q", script, err, said.String())
		}
	}
}

// TestOutputToDash: - is standard output, for each command that has -o, and no file.
func TestOutputToDash(t *testing.T) {
	here := t.TempDir()
	file, err := filepath.Abs(goodFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	for _, c := range scan().commands().Rows {
		if c.Run == nil {
			continue
		}
		args := []string{c.Name, file}
		switch c.Name {
		case "sample":
			args = []string{c.Name, "3", "--seed", "1", file}
		case "min", "max", "bloom":
			args = []string{c.Name, "order_id", file}
		case "advise", "why":
			args = append(args, "-w", "order_id = 1")
		}
		want, said, code := runScan(t, t.Context(), args...)
		got, saidToo, codeToo := runScan(t, t.Context(), append(args, "-o", "-")...)
		if got != want || saidToo != said || codeToo != code || want == "" && said == "" {
			t.Errorf("%s -o -: exit code %d, %.200s%s, without: %d, %.200s%s", c.Name, codeToo, got, saidToo, code, want, said)
		}
	}
	for _, args := range [][]string{{"explain", "--picture", "-", file}, {"explain", "--picture", "-", "-o", "-", file}} {
		if got, said, code := runScan(t, t.Context(), args...); code != 0 || !strings.HasPrefix(got, "<!DOCTYPE html>") || !strings.HasSuffix(got, "</html>\n") {
			t.Errorf("%v: exit code %d, %.100s … %s", args, code, got, said)
		}
	}
	got, said, code := runScan(t, t.Context(), "explain", "--picture", "-", "-o", "answer.json", file)
	if answer, err := os.ReadFile("answer.json"); err != nil || code != 0 || !strings.HasPrefix(got, "<!DOCTYPE html>") || !strings.Contains(string(answer), `{"kind":"file"`) {
		t.Errorf("exit code %d, %.100s, %.100s, %v %s", code, got, answer, err, said)
	}
	if left := leftIn(t, here); left != "answer.json" {
		t.Errorf("there is %s", left)
	}
}

// TestPipesAsFiles: what a shell calls a file may be a pipe, which is read as - is.
func TestPipesAsFiles(t *testing.T) {
	want, _, _ := runScan(t, t.Context(), "head", "-n", "2", goodFile)
	dir := t.TempDir()
	pipe, temporary := filepath.Join(dir, "pipe.parquet"), t.TempDir()
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, script := range []string{
		`cat "$good" > ` + pipe + ` & "$scan" head -n 2 ` + pipe,
		`cat "$good" > ` + pipe + ` & "$scan" head -n 2 --order-by order_id ` + pipe,
		`cat "$good" | "$scan" head -n 2 /dev/stdin`,
		`cat "$good" | "$scan" ` + `/dev/fd/0 -n 2`,
		`"$scan" head -n 2 /dev/stdin < "$good"`,
		`cat "$good" | { "$scan" head -n 2 /dev/fd/3 3<&0 </dev/null; }`,
		`cat "$good" | "$scan" sample 2 --seed 1 -w 'order_id < 1002' /dev/stdin`,
	} {
		cmd := scanIn(t, script)
		cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
		var out, said strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil || out.String() != want || said.Len() > 0 {
			t.Errorf("%s: %v, %s%s", script, err, out.String(), said.String())
		}
	}
	for _, c := range []struct{ script, says string }{
		{`"$scan" count /dev/null`, "/dev/null: footer"},
		{`"$scan" count /dev/zero`, "/dev/zero: no Parquet file: it does not begin with PAR1"},
		{`"$scan" count '` + dir + `/*.parquet'`, "not a regular file"}, // nobody may ever write to it
		{`"$scan" count ` + dir, "not a regular file"},
		{`echo no | "$scan" count /dev/stdin`, "/dev/stdin: footer"},
	} {
		cmd := scanIn(t, c.script)
		var said strings.Builder
		cmd.Stderr = &said
		if cmd.Run(); cmd.ProcessState.ExitCode() != exitBadFile || !strings.Contains(said.String(), c.says) {
			t.Errorf("%s: exit code %d, %q", c.script, cmd.ProcessState.ExitCode(), said.String())
		}
	}
	if left := leftIn(t, temporary); left != "" {
		t.Errorf("%s is left", left)
	}
	// Nobody writes: whoever interrupts is heard.
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, code := runScan(t, ctx, "count", pipe); code != exitInterrupted {
		t.Errorf("a pipe that nobody writes to: exit code %d", code)
	}
	if f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		f.Close()
	}
}

// signalsThatEnd have the exit codes that shells give them.
var signalsThatEnd = map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129}

func TestSignalsKeepTheOutputFile(t *testing.T) {
	for signal, code := range signalsThatEnd {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.json")
		if err := os.WriteFile(out, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := scanIn(t, `exec "$scan" cat "$good" - -o `+out)
		var said strings.Builder
		cmd.Stderr = &said
		stdin, err := cmd.StdinPipe() // it waits for what comes here
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for size := int64(0); size == 0; time.Sleep(time.Millisecond) { // until a part is written
			if partial, _ := filepath.Glob(out + ".*"); partial != nil {
				if info, err := os.Stat(partial[0]); err == nil {
					size = info.Size()
				}
			}
			if cmd.ProcessState != nil {
				t.Fatal("it has ended")
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		stdin.Close()
		if cmd.ProcessState.ExitCode() != code || said.Len() > 0 {
			t.Errorf("%v: ended with %v, and said %q", signal, err, said.String())
		}
		if now, err := os.ReadFile(out); err != nil || string(now) != "old" || leftIn(t, dir) != "out.json" {
			t.Errorf("%v: it has %.100q, %v, beside %s", signal, now, err, leftIn(t, dir))
		}
	}
}

// The tests of signals pass where go test itself is started by nohup, or in the background.
func TestSignalsUnderNohup(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `trap '' INT HUP; exec "$1" -test.timeout=1m -test.v '-test.run=^Test(SignalsKeepTheOutputFile|InterruptEndsInWholeLines)$'`, "", program)
	if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), "--- PASS") != 2 {
		t.Errorf("%v: %s", err, out)
	}
}

// nohup and shells that start something in the background have it ignore signals.
func TestSignalsThatAreIgnoredStaySo(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		cmd := scanIn(t, `trap '' INT HUP; exec "$scan" cat -n 3 - -c order_id`)
		var out strings.Builder
		cmd.Stdout = &out
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(goodFile)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		// The pipe holds less than this: when it is taken, scan is running.
		if _, err := io.CopyN(stdin, file, 70<<10); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		if _, err := io.Copy(stdin, file); err != nil {
			t.Fatal(err)
		}
		stdin.Close()
		if err := cmd.Wait(); err != nil || strings.Count(out.String(), "\n") != 3 {
			t.Errorf("%v: %v, %q", signal, err, out.String())
		}
	}
}

// A process that waits for a reader that reads nothing ends all the same.
func TestTerminatedWhileReaderIsStuck(t *testing.T) {
	cmd, stdout, stderr := startLong(t)
	defer stdout.Close()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	state, err := cmd.Process.Wait()
	if err != nil || state.ExitCode() != 143 {
		t.Errorf("ended with %v, %v, and said %q", state, err, stderr)
	}
}
