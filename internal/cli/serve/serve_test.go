package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
)

// served serves a folder, and returns the address of its page.
func served(t *testing.T, dir string) (address string) { return servedBy(t, dir, input.Opener{}) }

// servedBy is served with a way to open files.
func servedBy(t *testing.T, dir string, o input.Opener) (address string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- serve(ctx, dir, 0, &command.Call{Streams: command.Streams{Out: w, Err: os.Stderr}, Opener: o})
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != context.Canceled {
				t.Errorf("ended with %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("does not end")
		}
		r.Close()
		w.Close()
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// got returns the answer to a request.
func got(t *testing.T, address string) (code int, body string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// ran returns what a run told, as one message.
func ran(t *testing.T, address string, query url.Values) (all message) {
	t.Helper()
	code, body := got(t, address+"run?"+query.Encode())
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	for line := range strings.Lines(body) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		all.Rows = append(all.Rows, m.Rows...)
		all.Error += m.Error
		all.Plan += m.Plan
		if m.Progress != "" {
			all.Progress = m.Progress
		}
		if m.Picture != nil {
			all.Picture = m.Picture
		}
	}
	return all
}

func TestServe(t *testing.T) {
	address := served(t, "../../../testdata")
	code, body := got(t, address)
	if code != http.StatusOK || !strings.Contains(body, "<!DOCTYPE html>") {
		t.Errorf("the page: %d, %.80s", code, body)
	}
	var names []string
	if _, body := got(t, address+"files"); json.Unmarshal([]byte(body), &names) != nil || len(names) < 100 || !strings.Contains(body, `"lineitems.parquet"`) {
		t.Errorf("files: %.200s", body)
	} else if !slices.Equal(names[:4], []string{"lineitems.parquet", "orders.parquet", "weblog.parquet", "bad/body_brotli_lies_short.parquet"}) {
		t.Errorf("the files of the folder are not before those of folders in it: %v", names[:4])
	}
	if _, body := got(t, address+"schema?file=lineitems.parquet"); !strings.Contains(body, "20,000 rows") || !strings.Contains(body, `"min":"1992-01-04"`) || !strings.Contains(body, `"max":"1999-03-03"`) {
		t.Errorf("schema: %s", body)
	}
	m := ran(t, address, url.Values{"file": {"lineitems.parquet"}, "where": {"ship_date >= '1996-05-01' AND extended_price > 40000"}, "columns": {"order_key,comment"}})
	var p struct {
		Returned int
		Fates    []struct{ Name string }
	}
	if err := json.Unmarshal(m.Picture, &p); err != nil || p.Returned != shownRows {
		t.Errorf("picture of %d rows, %v", p.Returned, err)
	}
	if m.Error != "" || len(m.Rows) != shownRows || !strings.HasPrefix(m.Progress, "200 rows in ") || !strings.HasSuffix(m.Progress, ": those that pass of rows 0–13,592 of 20,000") || !strings.Contains(m.Plan, "8,000 of 20,000 rows may pass") {
		t.Errorf("run: %q, %d rows, %q, %.100s", m.Error, len(m.Rows), m.Progress, m.Plan)
	}
	for room, most := range map[string]int{"": 120, "82": 82, "1": 80, "100000": 240} {
		m := ran(t, address, url.Values{"file": {"lineitems.parquet"}, "where": {"ship_date >= '1996-05-01' AND extended_price > 40000"}, "columns": {"-comment"}, "width": {room}})
		longest := 0
		for line := range strings.Lines(m.Plan) {
			longest = max(longest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
		}
		if m.Error != "" || longest > most || longest < min(most, 130)*3/4 {
			t.Errorf("a plan for lines of %q has one of %d: %s", room, longest, m.Error)
		}
	}
	for where, want := range map[string]string{
		"quantity >":      "WHERE",
		"no_such_col = 1": "no column no_such_col",
	} {
		m := ran(t, address, url.Values{"file": {"lineitems.parquet"}, "where": {where}})
		if want == "WHERE" {
			want = "^"
		}
		if !strings.Contains(m.Error, want) {
			t.Errorf("%s: %q", where, m.Error)
		}
	}
	if m := ran(t, address, url.Values{"file": {"bad/../../go.mod"}}); m.Error == "" {
		t.Error("a file outside of the folder was opened")
	}
}

// Who does not know the secret, or comes by another name, gets nothing.
func TestServeIsClosed(t *testing.T) {
	address := served(t, "../../../testdata")
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "127.0.0.1" || len(u.Path) < 20 {
		t.Fatal(address, err)
	}
	for _, path := range []string{"/", "/files", "/x/files", u.Path[:len(u.Path)-2] + "/files", u.Path + "../files", u.Path + "nothing"} {
		if code, body := got(t, "http://"+u.Host+path); code != http.StatusNotFound {
			t.Errorf("%s: %d, %.80s", path, code, body)
		}
	}
	for _, change := range []func(r *http.Request){
		func(r *http.Request) { r.Host = "evil.example" },
		func(r *http.Request) { r.Method = http.MethodPost },
	} {
		r, _ := http.NewRequest(http.MethodGet, address+"files", nil)
		change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s %s: %d", r.Method, r.Host, answer.StatusCode)
		}
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "a.parquet"), []byte("PAR1"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"a.PQ", "b.parq", "c.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "a.parquet"), filepath.Join(dir, "link.parquet")); err != nil {
		t.Skip(err)
	}
	address = served(t, dir)
	if _, body := got(t, address+"files"); strings.TrimSpace(body) != `["a.PQ","b.parq","link.parquet"]` {
		t.Errorf("files: %s", body)
	}
	if m := ran(t, address, url.Values{"file": {"link.parquet"}}); !strings.Contains(m.Error, "link.parquet") || strings.Contains(m.Error, "footer") {
		t.Errorf("a link out of the folder: %q", m.Error)
	}
}

func TestHostOfPort80(t *testing.T) {
	for port, want := range map[int]string{80: "127.0.0.1", 8080: "127.0.0.1:8080", 180: "127.0.0.1:180"} {
		if got := hostOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}); got != want {
			t.Errorf("port %d: %s", port, got)
		}
	}
}

// The folder that is served has the keys, and wants encrypted files, as those of the command line do.
func TestServeDemandsEncryption(t *testing.T) {
	dir := t.TempDir()
	footer := gen.Key{Bytes: "0123456789abcdef"}
	for name, e := range map[string]*gen.Encryption{
		"plain": nil, "may": {Footer: footer, Prefix: "table of May", HidePrefix: true}, "june": {Footer: footer, Prefix: "table of June"},
	} {
		f := gen.File{Schema: []*gen.Node{gen.Required("k", gen.Int64)}, Encryption: e, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"k": int64(1)}}}}}
		b, err := f.Write()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".parquet"), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	address := servedBy(t, dir, input.Opener{Options: scanner.OpenOptions{
		Keys:              func(context.Context, []byte) ([]byte, error) { return []byte(footer.Bytes), nil },
		RequireEncryption: true,
		AADPrefix:         func(string) []byte { return []byte("table of May") },
	}})
	for name, want := range map[string]string{"may": `"plan":`, "june": "another AAD prefix", "plain": "the file is not encrypted"} {
		if _, body := got(t, address+"run?file="+name+".parquet"); !strings.Contains(body, want) {
			t.Errorf("%s is served: %s", name, body)
		}
	}
}
