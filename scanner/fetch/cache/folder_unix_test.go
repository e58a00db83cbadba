//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolderOfOthers opens folders to which others may write, or which others may exchange.
func TestFolderOfOthers(t *testing.T) {
	base := t.TempDir()
	make := func(name string, mode os.FileMode) string {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	opens := func(dir, want string) {
		t.Helper()
		f, err := OpenFolder(dir, 1<<20)
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want an error that says %q", dir, err, want)
		}
		if want == "" && err != nil {
			t.Errorf("%s: %v", dir, err)
		}
		if err == nil && !strings.HasPrefix(f.dir, "/") {
			t.Error(f.dir)
		}
	}
	opens(make("own", 0o700), "")
	opens(make("read by all", 0o755), "")
	opens(filepath.Join(base, "new", "and below"), "")
	opens(make("of the group", 0o770), "may be written to by others (mode 0770)")
	opens(make("of all", 0o777), "may be written to by others")
	opens(make("of all, sticky", 0o777|os.ModeSticky), "may be written to by others")
	opens(filepath.Join(make("open", 0o777), "below"), "who may put another folder in the place of the cache")
	opens(filepath.Join(make("shared", 0o777|os.ModeSticky), "below"), "")
	link := filepath.Join(base, "link")
	if err := os.Symlink("own", link); err != nil {
		t.Fatal(err)
	}
	opens(link, "")
	f, err := OpenFolder(link, 1<<20)
	if err != nil || filepath.Base(f.dir) != "own" {
		t.Errorf("%s: %v", f.dir, err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("of all", link); err != nil {
		t.Fatal(err)
	}
	opens(link, "may be written to by others")
	if os.Geteuid() != 0 {
		opens("/", "belongs to another user")
		return
	}
	// Only root can give files away.
	theirs := make("theirs", 0o755)
	if err := os.Chown(theirs, 12345, -1); err != nil {
		t.Skip(err)
	}
	opens(theirs, "belongs to another user")
	if err := os.Lchown(link, 12345, -1); err != nil {
		t.Fatal(err)
	}
	opens(link, "is a link of another user's")
}
