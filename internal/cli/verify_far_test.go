package cli

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// farBytes is a source in virtual time: each call takes a latency, and then the bandwidth that all share.
type farBytes struct {
	fetch.Source
	name string
	*farStore
}

// farStore is what the files of a store share.
type farStore struct {
	latency   time.Duration
	bandwidth float64
	line      chan bool
	read      atomic.Int64
}

const farLatency, farBandwidth = 30 * time.Millisecond, 100e6

func (s *farBytes) Traits() fetch.Traits {
	return fetch.Traits{Identity: fetch.Identity{Name: s.name, Size: s.Size(), Tag: "1"}, Latency: s.latency, Bandwidth: int64(s.bandwidth)}
}

func (s *farBytes) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	n := int64(0)
	for _, r := range ranges {
		n += r.Len
	}
	s.read.Add(n)
	time.Sleep(s.latency)
	s.line <- true
	time.Sleep(time.Duration(float64(n) / s.bandwidth * 1e9))
	<-s.line
	return s.Source.ReadRanges(ctx, ranges, alloc)
}

// farData returns a file of four row groups and three columns.
func farData(t *testing.T, rows int) []byte {
	r := rand.New(rand.NewPCG(46, 3))
	file := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64), gen.Required("c", gen.Int64)}}
	for range 4 {
		columns := make([]gen.Column, len(file.Schema))
		for i := range columns {
			values := make([]int64, rows/4)
			for k := range values {
				values[k] = r.Int64()
			}
			columns[i] = gen.Column{PageRows: []int{2500}, Stats: gen.MinMax | gen.NullCount, Data: &gen.Data{Values: values}}
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Columns: columns})
	}
	data, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// runFar runs a command on a number of files of a store.
func runFar(t *testing.T, store *farStore, data []byte, files int, command string) (took time.Duration, stdout string) {
	store.line = make(chan bool, 1)
	p := &Program{Name: "scan", Schemes: []input.Scheme{{Name: "far", Open: func(_ context.Context, name string) (fetch.Source, error) {
		return &farBytes{fetch.FromBytes(data), name, store}, nil
	}}}}
	args := strings.Fields(command)
	for i := range files {
		args = append(args, fmt.Sprint("far://", i))
	}
	start := time.Now()
	stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, args...)
	if code != exitOK || stderr != "" {
		t.Errorf("%s: exit code %d: %s", command, code, stderr)
	}
	took = time.Since(start)
	time.Sleep(time.Hour) // for requests that nobody waits for
	return took, stdout
}

// Commands that read rows of several far files take at most half as long again as the trips that do without each other,
// and the bytes of the rows.
func TestFarFilesAreReadAhead(t *testing.T) {
	const files, rows, page = 9, 40_000, 2500 * 8
	data := farData(t, rows)
	for _, c := range []struct {
		command string
		trips   int   // footers, footers again or the filter, pages
		bytes   int64 // of pages
		lines   int
	}{
		{"describe", 2, files * int64(len(data)), 4},
		{"cat -c a", 2, files * int64(len(data)) / 3, files * rows},
		{"head -n 2", 2, files * 3 * page, files * 2},
		{"sample 9 --seed 7", 3, 9 * 3 * page, 9},
		{"cat -w b>0", 3, files * int64(len(data)), files * rows},
	} {
		for _, s := range []*farStore{{latency: 30 * time.Millisecond, bandwidth: 100e6}, {latency: 5 * time.Millisecond, bandwidth: 1e9}, {latency: 100 * time.Millisecond, bandwidth: 20e6}} {
			synctest.Test(t, func(t *testing.T) {
				took, stdout := runFar(t, s, data, files, c.command)
				ideal := time.Duration(c.trips)*s.latency + time.Duration(float64(c.bytes)/s.bandwidth*1e9)
				t.Logf("%s, %v and %.0f MB/s: %.1f ms, %.2f times the ideal", c.command, s.latency, s.bandwidth/1e6, took.Seconds()*1000, took.Seconds()/ideal.Seconds())
				if lines := strings.Count(stdout, "\n"); 2*took > 3*ideal || lines != c.lines {
					t.Errorf("%s: %v, the ideal is %v; %d lines, not %d", c.command, took, ideal, lines, c.lines)
				}
			})
		}
	}
}

// To verify a far file takes its bytes once, and at most half as long again as two trips and these.
func TestVerifyReadsFarFilesOnce(t *testing.T) {
	data := farData(t, 240_000)
	synctest.Test(t, func(t *testing.T) {
		store := &farStore{latency: farLatency, bandwidth: farBandwidth}
		took, stdout := runFar(t, store, data, 1, "verify")
		if !strings.Contains(stdout, `"faults":0,"flaws":0`) {
			t.Error(stdout)
		}
		size := int64(len(data))
		ideal := 2*farLatency + time.Duration(float64(size)/farBandwidth*1e9)
		t.Logf("%v, the ideal is %v; %d bytes of %d", took, ideal, store.read.Load(), size)
		if 2*took > 3*ideal || store.read.Load() > size {
			t.Errorf("%v, the ideal is %v; %d bytes of %d", took, ideal, store.read.Load(), size)
		}
	})
}
