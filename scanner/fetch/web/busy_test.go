package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/test/busy"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// A server that serves one request at a time gets few and long ones, and one that throttles is not pressed.
func TestBusyServer(t *testing.T) {
	if testing.Short() {
		t.Skip("to write the file takes a minute with the race detector")
	}
	data, err := busy.File()
	if err != nil {
		t.Fatal(err)
	}
	content := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
	for name, s := range map[string]*busy.Server{
		"one at a time": {Workers: 1, Latency: 5 * time.Millisecond, Bandwidth: 200e6},
		"throttles":     {Workers: 4, Latency: 5 * time.Millisecond, Bandwidth: 200e6, Most: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait most of the time
			s.Next, s.Size = content, int64(len(data))
			server := httptest.NewServer(s)
			defer server.Close()
			src, err := web.Open(t.Context(), server.URL, web.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			busy.Check(t, s, s.Workers, func() *scanner.File {
				f, err := scanner.OpenSource(t.Context(), "busy.parquet", src)
				if err != nil {
					t.Fatal(err)
				}
				return f
			})
		})
	}
}
