//go:build unix

package fetch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOpenLeavesPipesAlone refuses a pipe without ending the program that waits to write to it.
func TestOpenLeavesPipesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	opened := make(chan error, 1)
	go func() {
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = w.Close()
		}
		opened <- err
	}()
	time.Sleep(20 * time.Millisecond) // for it to wait
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	select {
	case err := <-opened:
		t.Fatalf("the writer found a reader: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := <-opened; err != nil {
		t.Error(err)
	}
}
