package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/scanner"
)

// row is what was measured of a workload and an engine: a line of JSON.
type row struct {
	Engine   string         `json:"engine"`
	Workload string         `json:"workload"`
	Threads  int            `json:"threads"`
	Wall     []float64      `json:"wall_ms"`
	CPU      []float64      `json:"cpu_ms"`
	Peak     int64          `json:"peak_rss_mb"` // of this process; 0 for peers, and where the system does not tell
	Base     int64          `json:"rss_base_mb"`
	OK       bool           `json:"ok"`
	Error    string         `json:"error"`
	Rows     int64          `json:"rows"`
	Sums     map[string]Sum `json:"sums,omitempty"`
	Read     int64          `json:"bytes_read"`
	Reads    int64          `json:"reads"`
	Inflated int64          `json:"bytes_inflated"`
	Pages    pages          `json:"pages"`

	again       attempt
	times       float64 // that it takes of the first engine's processor time
	whole, cold bool    // as those of ownScan
	peer        bool    // it works in a process of its own
	unable      bool    // a peer does not understand the workload
}

// pages counts data pages, dictionaries apart, by what became of them.
type pages struct {
	Unread         int64 `json:"unread"`
	Undecompressed int64 `json:"undecompressed"`
	Undecoded      int64 `json:"undecoded"`
	Decoded        int64 `json:"decoded"`
	Dictionaries   int64 `json:"dictionaries"`
}

// measure is a command.
func (o *options) measure(ctx context.Context, stdout io.Writer) (ok bool, err error) {
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return false, err
		}
		defer pprof.StopCPUProfile()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ok = true
	var all []*row
	out := newReport(stdout, o.json)
	for _, w := range o.workloads {
		for _, threads := range o.threads {
			runtime.GOMAXPROCS(threads)
			peers, err := o.startPeers(ctx, threads, stdout)
			if err != nil {
				return false, err
			}
			warm, cold := o.entrants(peers)
			rows := append(o.measured(ctx, w, threads, warm), o.measured(ctx, w, threads, cold)...)
			closeAll(peers)
			if r := rows[0]; o.file && !o.json && !r.cold && len(r.CPU) == 0 { // all fail by the same cause
				return false, errors.New(r.Error)
			}
			for _, r := range rows {
				ok = ok && (r.OK || r.cold || r.unable) // not every system, or engine, can do that
				if err := out.add(r); err != nil {
					return false, err
				}
			}
			all = append(all, rows...)
		}
	}
	if err := out.end(); err != nil || o.json {
		return ok, err
	}
	for i := 1; i < len(all); i++ {
		if scan, r := all[i-1], all[i]; scan.OK && r.OK && r.whole && !scan.whole {
			name := scan.Engine
			if len(o.threads) > 1 {
				name += fmt.Sprintf(", threads %d", scan.Threads)
			}
			fmt.Fprintf(stdout, "%s: %s of the time and %s of the bytes of a full scan of the same columns (least times of the %s: %.2f of %.2f ms; %s of %s)\n", name,
				percent(scan.timeOf(r)), percent(scan.bytesOf(r)), map[bool]string{true: "processor", false: "clock"}[scan.byProcessor()],
				scan.least(), r.least(), size(scan.Read), size(r.Read))
		}
	}
	return ok, nil
}

// entrants returns what is measured of each workload, with the file in memory and without.
func (o *options) entrants(peers []*Peer) (warm, cold []entrant) {
	for _, own := range o.own {
		if own.cold {
			cold = append(cold, own.entrant())
		} else {
			warm = append(warm, own.entrant())
		}
	}
	for _, p := range peers {
		warm = append(warm, p.entrant())
	}
	return warm, cold
}

// startPeers starts the peers that were asked for, and tells their versions, and which are absent.
func (o *options) startPeers(ctx context.Context, threads int, stdout io.Writer) ([]*Peer, error) {
	peers, absent, err := o.peers.start(ctx, threads)
	if o.json {
		return peers, err
	}
	for _, p := range peers {
		fmt.Fprintln(stdout, "peer:", p.Name, p.Version)
	}
	for _, why := range absent {
		fmt.Fprintln(stdout, "absent:", why)
	}
	return peers, err
}

// byProcessor reports whether the processor times a scan: one thread that waits for nothing. Else the clock does.
func (r *row) byProcessor() bool { return r.Threads == 1 && !r.cold && slices.Min(r.CPU) > 0 }

// least returns the least time, to which other work of the machine added least.
func (r *row) least() float64 {
	if r.byProcessor() {
		return slices.Min(r.CPU)
	}
	return slices.Min(r.Wall)
}

// timeOf returns which part of another row's least time this one takes, bytesOf the same of bytes.
func (r *row) timeOf(full *row) float64  { return r.least() / full.least() }
func (r *row) bytesOf(full *row) float64 { return float64(r.Read) / float64(full.Read) }

// An entrant is an engine, or a way to use it.
type entrant struct {
	name string
	// start runs it once, sets the answer and what else r has of it, and returns how it is run again.
	// The rows so far are those of the entrants before it.
	start func(ctx context.Context, w *Workload, r *row, before []*row) (attempt, error)
}

// measured runs each entrant for a workload: once for its answer and its traffic, then in turns.
func (t *turns) measured(ctx context.Context, w *Workload, threads int, entrants []entrant) (all []*row) {
	var running []*row
	for _, e := range entrants {
		r := &row{Engine: e.name, Workload: w.Name, Threads: threads, Wall: []float64{}, CPU: []float64{}}
		var err error
		if r.again, err = e.start(ctx, w, r, all); err != nil {
			r.Error, r.unable = err.Error(), errors.Is(err, errUnable)
		} else {
			running = append(running, r)
		}
		all = append(all, r)
	}
	debug.FreeOSMemory()
	resetPeak()
	base := memory("VmRSS:")
	t.take(ctx, running)
	peak := memory("VmHWM:")
	for _, r := range running {
		if r.OK = r.Error == ""; r.Reads > 0 { // peers read in processes of their own
			r.Base, r.Peak = base, peak
		}
		if r.OK && running[0].OK {
			r.times = median(fill(len(r.CPU), func(i int) float64 { return r.CPU[i] / running[0].CPU[i] }))
		}
	}
	return all
}

// entrant is winnow itself. A scan that is forced must have the answer of the first entrant.
func (own ownScan) entrant() entrant {
	return entrant{own.name, func(ctx context.Context, w *Workload, r *row, before []*row) (attempt, error) {
		r.whole, r.cold = own.whole, own.cold
		forget := func() error { return nil }
		if own.cold {
			forget = func() error {
				if err := dropCache(w.File); err != nil {
					return fmt.Errorf("not measured cold: %w", err)
				}
				return nil
			}
		}
		if err := forget(); err != nil {
			return nil, err
		}
		e := prepare(w, r.Threads, own.force)
		if own.whole {
			if err := e.widen(ctx); err != nil {
				return nil, err
			}
		}
		again, err := e.judged(ctx, r)
		if err == nil && own.force != nil && len(before) > 0 && before[0].Error == "" {
			err = before[0].answer().differs(r.answer())
		}
		return func(ctx context.Context) (cpu, wall float64, err error) {
			if err := forget(); err != nil {
				return 0, 0, err
			}
			return again(ctx)
		}, err
	}}
}

// judged scans once, judges the answer, and returns attempts whose answers must be the same.
func (e *winnow) judged(ctx context.Context, r *row) (attempt, error) {
	var t traffic
	answer, err := e.watched(ctx, &t)
	r.count(&t)
	if err != nil {
		return nil, err
	}
	want := answer()
	r.Rows, r.Sums = want.Rows, want.Sums
	if fault := e.w.Judge(want); fault != "" {
		return nil, errors.New(fault)
	}
	return timed(func(ctx context.Context) (check func() error, err error) {
		answer, err := e.scan(ctx)
		return func() error { return want.differs(answer()) }, err
	}), nil
}

func (r *row) answer() *Answer { return &Answer{r.Rows, r.Sums} }

func (r *row) count(t *traffic) {
	r.Read, r.Reads = t.bytes.Load(), t.reads.Load()
	for _, c := range t.stats.Columns {
		r.Pages.Unread += c.Pages[scanner.Unread]
		r.Pages.Undecompressed += c.Pages[scanner.Undecompressed]
		r.Pages.Undecoded += c.Pages[scanner.Undecoded]
		r.Pages.Decoded += c.Pages[scanner.Decoded]
		r.Pages.Dictionaries += c.DictionaryPages
		r.Inflated += c.Decompressed
	}
}

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
