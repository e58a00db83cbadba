package s3scan

import (
	"io"
	"log"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow-scan/winnow/internal/test/busy"
	"github.com/winnow-scan/winnow/scanner"
)

// A store that serves one request at a time gets few and long ones, and one that throttles is not pressed.
func TestBusyServer(t *testing.T) {
	if testing.Short() {
		t.Skip("to write the file takes a minute with the race detector")
	}
	data, err := busy.File()
	if err != nil {
		t.Fatal(err)
	}
	for name, gate := range map[string]*busy.Server{
		"one at a time": {Workers: 1, Latency: 5 * time.Millisecond, Bandwidth: 200e6},
		"throttles":     {Workers: 4, Latency: 5 * time.Millisecond, Bandwidth: 200e6, Most: 4},
	} {
		t.Run(name, func(t *testing.T) {
			gate.Next, gate.Size = gofakes3.New(s3mem.New()).Server(), int64(len(data))
			server := httptest.NewUnstartedServer(gate)
			server.Config.ErrorLog = log.New(io.Discard, "", 0) // it sends some headers twice
			server.Start()
			defer server.Close()
			s := newStore(t, server.URL)
			s.put(t, "busy", data)
			src := s.open(t, "busy")
			defer src.client.Close()
			busy.Check(t, gate, gate.Workers, func() *scanner.File {
				f, err := scanner.OpenSource(t.Context(), "busy", src)
				if err != nil {
					t.Fatal(err)
				}
				return f
			})
		})
	}
}
