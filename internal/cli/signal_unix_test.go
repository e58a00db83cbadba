//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// asScan makes this test's program be scan, for tests that need a process.
const asScan = "WINNOW_TEST_AS_SCAN"

func TestMain(m *testing.M) {
	if os.Getenv(asScan) != "" {
		os.Exit(scan().Main())
	}
	os.Exit(m.Run())
}

// startLong starts to print far more than a pipe holds.
func startLong(t *testing.T) (cmd *exec.Cmd, stdout io.ReadCloser, stderr *bytes.Buffer) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dtest.HeedSignals(t)
	files := slices.Repeat([]string{"../../testdata/lineitems.parquet"}, 40)
	cmd = exec.Command(program, append([]string{"cat"}, files...)...)
	cmd.Env = append(os.Environ(), asScan+"=1")
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	if stdout, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() { late.Stop() })
	if _, err := io.ReadFull(stdout, make([]byte, 100)); err != nil {
		t.Fatal(err, stderr)
	}
	return cmd, stdout, stderr
}

func TestBrokenPipeIsQuiet(t *testing.T) {
	cmd, stdout, stderr := startLong(t)
	stdout.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE {
		t.Errorf("ended with %v", err)
	}
	if stderr.Len() > 0 {
		t.Errorf("it said %q", stderr)
	}
}

func TestInterruptEndsInWholeLines(t *testing.T) {
	cmd, stdout, stderr := startLong(t)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v, after %d bytes", err, len(rest))
	}
	if !bytes.HasSuffix(rest, []byte("}\n")) {
		t.Errorf("it ended in %q", rest[max(0, len(rest)-50):])
	}
	if stderr.Len() > 0 {
		t.Errorf("it said %q", stderr)
	}
}
