//go:build unix

package serve

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServePipes asks for what is no file: to open a pipe is to wait for a writer, who never comes.
func TestServePipes(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe.parquet", filepath.Join(dir, "link.parquet")); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "s.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	address := served(t, dir)
	if _, body := got(t, address+"files"); strings.TrimSpace(body) != `["link.parquet"]` {
		t.Errorf("files: %s", body)
	}
	for _, name := range []string{"pipe.parquet", "link.parquet", "s.parquet"} {
		for _, page := range []string{"run", "schema"} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+page+"?"+url.Values{"file": {name}}.Encode(), nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatalf("%s of %s: %v", page, name, err)
			}
			text := make([]byte, 1000)
			n, _ := answer.Body.Read(text)
			if !strings.Contains(string(text[:n]), name+": not a regular file") {
				t.Errorf("%s of %s: %s", page, name, text[:n])
			}
			answer.Body.Close()
			cancel()
		}
	}
}
