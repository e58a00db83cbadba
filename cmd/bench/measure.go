package main

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/internal/workloads"
	"github.com/winnow-scan/winnow/scanner"
)

// row is what was measured of a workload: a line of JSON.
type row struct {
	Engine   string                   `json:"engine"`
	Workload string                   `json:"workload"`
	Threads  int                      `json:"threads"`
	Wall     []float64                `json:"wall_ms"`
	CPU      []float64                `json:"cpu_ms"`
	Peak     int64                    `json:"peak_rss_mb"` // 0 where the system does not tell
	Base     int64                    `json:"rss_base_mb"`
	OK       bool                     `json:"ok"`
	Error    string                   `json:"error"`
	Rows     int64                    `json:"rows"`
	Sums     map[string]workloads.Sum `json:"sums,omitempty"`
	Read     int64                    `json:"bytes_read"`
	Reads    int64                    `json:"reads"`
	Inflated int64                    `json:"bytes_inflated"`
	Pages    pages                    `json:"pages"`
}

// pages counts data pages, dictionaries apart, by what became of them.
type pages struct {
	Unread         int64 `json:"unread"`
	Undecompressed int64 `json:"undecompressed"`
	Undecoded      int64 `json:"undecoded"`
	Decoded        int64 `json:"decoded"`
	Dictionaries   int64 `json:"dictionaries"`
}

// measure runs a workload: once for its answer and its traffic, then timed.
func measure(ctx context.Context, w *workloads.Workload, threads int, o *options) *row {
	row := &row{Engine: "scan", Workload: w.Name, Threads: threads, Wall: []float64{}, CPU: []float64{}}
	e := newEngine(w, threads, o.without)
	first, err := row.warm(ctx, e)
	if err != nil {
		row.Error = err.Error()
		return row
	}
	if row.Error = w.Judge(first); row.Error != "" {
		return row
	}
	debug.FreeOSMemory()
	resetPeak()
	row.Base = memory("VmRSS:")
	if err := o.profile.start(); err != nil {
		row.Error = err.Error()
		return row
	}
	var spent time.Duration
	for len(row.Wall) < o.iters && (len(row.Wall) == 0 || spent < o.budget) {
		if !o.profile.wanted() {
			runtime.GC()
		}
		var r result
		cpu, start := processorTime(), time.Now()
		err := e.scan(ctx, &r)
		wall := time.Since(start)
		row.CPU = append(row.CPU, milliseconds(processorTime()-cpu))
		row.Wall = append(row.Wall, milliseconds(wall))
		spent += wall
		if err == nil && !o.profile.wanted() {
			row.Error = first.Differs(r.answer(w))
		}
		r.release()
		if err != nil {
			row.Error = err.Error()
		}
		if row.Error != "" {
			return row
		}
	}
	row.Peak = memory("VmHWM:")
	row.OK = true
	return row
}

// warm runs the workload once, with counters.
func (row *row) warm(ctx context.Context, e *engine) (*workloads.Answer, error) {
	var t traffic
	var r result
	defer r.release()
	if err := e.watched(ctx, &r, &t); err != nil {
		return nil, err
	}
	a := r.answer(e.w)
	row.Rows, row.Sums = a.Rows, a.Sums
	row.Read, row.Reads = t.bytes.Load(), t.reads.Load()
	for _, c := range t.stats.Columns {
		row.Pages.Unread += c.Pages[scanner.Unread]
		row.Pages.Undecompressed += c.Pages[scanner.Undecompressed]
		row.Pages.Undecoded += c.Pages[scanner.Undecoded]
		row.Pages.Decoded += c.Pages[scanner.Decoded]
		row.Pages.Dictionaries += c.DictionaryPages
		row.Inflated += c.Decompressed
	}
	return a, nil
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())) / 1e3 }

// memory returns a line of Linux's account of this process in MB, 0 elsewhere.
func memory(key string) int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kB, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kB / 1024
		}
	}
	return 0
}

// resetPeak has Linux forget the peak so far. Elsewhere there is none to forget.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
