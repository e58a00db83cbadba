package hdfsscan

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// These tests need no cluster.

func fileOf(size, blockSize int64, o Options) *File {
	c := NewCluster(o)
	return &File{cluster: c, path: "/a b/%41+ü.parquet", blockSize: blockSize, identity: fetch.Identity{Name: "hdfs://nn/a", Size: size, Tag: "7"}}
}

func TestSplitsCoverTheFile(t *testing.T) {
	for _, c := range []struct {
		size, block, split int64
		want               string
	}{
		{10, 4, 0, "[0+4 4+4 8+2]"},
		{10, 4, -1, "[0+4 4+4 8+2]"},
		{10, 4, 5, "[0+5 5+5]"},
		{10, 4, 100, "[0+10]"},
		{3, 1, math.MaxInt64, "[0+3]"},
		{0, 4, 0, "[]"},
	} {
		f := fileOf(c.size, c.block, Options{})
		got := []fetch.Range{}
		for _, s := range f.Splits(c.split) {
			got = append(got, s.Range)
			if s.File != f.identity || s.Hosts != nil {
				t.Errorf("split %v", s)
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%d bytes, blocks of %d, splits of %d: %v, want %s", c.size, c.block, c.split, got, c.want)
		}
	}
}

// Hosts are those of the blocks under a range, the one with the most bytes first, then by name.
// An answer that makes no sense gives no hosts, and does no harm.
func TestHostsOf(t *testing.T) {
	blocks := []block{
		{0, 100, []string{"a", "b"}},
		{100, 100, []string{"b", "c"}},
		{200, 50, []string{"d"}},
		{-5, 50, []string{"x"}},
		{250, -1, []string{"x"}},
		{300, math.MaxInt64, []string{"end"}},
	}
	for r, want := range map[fetch.Range]string{
		{Off: 0, Len: 100}:               "a b",
		{Off: 50, Len: 100}:              "b a c",
		{Off: 90, Len: 100}:              "b c a",
		{Off: 199, Len: 60}:              "d b c",
		{Off: 250, Len: 50}:              "",
		{Off: 1000, Len: 7}:              "end",
		{Off: math.MaxInt64 - 9, Len: 9}: "end",
	} {
		if got := strings.Join(hostsOf(blocks, r), " "); got != want {
			t.Errorf("%v: %q, want %q", r, got, want)
		}
	}
}

func TestAddHosts(t *testing.T) {
	const good = `{"BlockLocations":{"BlockLocation":[
		{"cachedHosts":[],"corrupt":false,"hosts":["h1","h2"],"length":4,"names":["10.0.0.1:9866"],"offset":0,"storageTypes":["DISK"],"topologyPaths":["/rack/h1"]},
		{"hosts":["h2"],"length":6,"offset":4}]}}`
	var asked atomic.Value // the URL of the last request
	answers := map[string]func(http.ResponseWriter){}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		first, _, _ := strings.Cut(r.URL.Path[1:], "/")
		answers[first](w)
	}))
	defer server.Close()
	answer := func(status int, text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(status)
			fmt.Fprint(w, text)
		}
	}
	answers["good"] = answer(200, good)
	answers["standby"] = answer(403, `{"RemoteException":{"exception":"StandbyException","javaClassName":"x.StandbyException","message":"Operation category READ is not supported\n\tat x"}}`)
	answers["gone"] = answer(404, "no such page")
	answers["junk"] = answer(200, `{"BlockLocations":`)
	answers["types"] = answer(200, `{"BlockLocations":{"BlockLocation":[{"offset":"x"}]}}`)
	answers["empty"] = answer(200, `{}`)
	answers["slow"] = func(http.ResponseWriter) { time.Sleep(300 * time.Millisecond) }
	for _, c := range []struct{ servers, hosts, words string }{
		{"good", "[[h2 h1] [h2]]", ""},
		{"standby good", "[[h2 h1] [h2]]", ""},
		{"standby", "[[] []]", "WebHDFS: StandbyException: Operation category READ is not supported"},
		{"gone", "[[] []]", "WebHDFS: 404 Not Found"},
		{"gone junk", "[[] []]", "WebHDFS: unexpected EOF"},
		{"types", "[[] []]", "WebHDFS: json: "},
		{"empty", "[[] []]", ""},
		{"slow", "[[] []]", "deadline exceeded"},
		{"", "[[] []]", "no address of WebHDFS is known"},
	} {
		o := Options{Timeout: 100 * time.Millisecond}
		o.Client.User = "miller & co"
		for _, s := range strings.Fields(c.servers) {
			o.WebHDFS = append(o.WebHDFS, server.URL+"/"+s)
		}
		splits := fileOf(10, 4, o).Splits(5)
		splits[0].Hosts = []string{"of before"}
		err := fileOf(10, 4, o).AddHosts(t.Context(), splits)
		if got := fmt.Sprint([][]string{splits[0].Hosts, splits[1].Hosts}); got != c.hosts {
			t.Errorf("%s: hosts %s", c.servers, got)
		}
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "hdfs://nn/a: ")) {
			t.Errorf("%s: %v", c.servers, err)
		}
		if c.servers == "good" {
			want := "/good/webhdfs/v1/a%20b/%2541+%C3%BC.parquet?length=10&offset=0&op=GETFILEBLOCKLOCATIONS&user.name=miller+%26+co"
			if asked.Load() != want {
				t.Errorf("asked %q, want %q", asked.Load(), want)
			}
		}
	}
}
