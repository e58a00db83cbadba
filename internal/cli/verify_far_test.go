package cli

import (
	"context"
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
	line chan bool
	read atomic.Int64
}

const farLatency, farBandwidth = 30 * time.Millisecond, 100e6

func (s *farBytes) Traits() fetch.Traits {
	return fetch.Traits{Identity: fetch.Identity{Name: "x", Size: s.Size(), Tag: "1"}, Latency: farLatency, Bandwidth: farBandwidth}
}

func (s *farBytes) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	n := int64(0)
	for _, r := range ranges {
		n += r.Len
	}
	s.read.Add(n)
	time.Sleep(farLatency)
	s.line <- true
	time.Sleep(time.Duration(float64(n) / farBandwidth * 1e9))
	<-s.line
	return s.Source.ReadRanges(ctx, ranges, alloc)
}

// To verify a far file takes its bytes once, and at most half as long again as two trips and these.
func TestVerifyReadsFarFilesOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 3))
	file := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64), gen.Required("c", gen.Int64)}}
	for range 4 {
		columns := make([]gen.Column, len(file.Schema))
		for i := range columns {
			values := make([]int64, 60_000)
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
	synctest.Test(t, func(t *testing.T) {
		src := &farBytes{Source: fetch.FromBytes(data), line: make(chan bool, 1)}
		p := &Program{Name: "scan", Schemes: []input.Scheme{{Name: "far", Open: func(context.Context, string) (fetch.Source, error) { return src, nil }}}}
		start := time.Now()
		stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, "verify", "far://x")
		took := time.Since(start)
		if code != exitOK || stderr != "" || !strings.Contains(stdout, `"faults":0,"flaws":0`) {
			t.Errorf("exit code %d: %s%s", code, stdout, stderr)
		}
		size := int64(len(data))
		ideal := 2*farLatency + time.Duration(float64(size)/farBandwidth*1e9)
		t.Logf("%v, the ideal is %v; %d bytes of %d", took, ideal, src.read.Load(), size)
		if 2*took > 3*ideal || src.read.Load() > size {
			t.Errorf("%v, the ideal is %v; %d bytes of %d", took, ideal, src.read.Load(), size)
		}
	})
}
