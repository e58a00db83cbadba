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
	Peak     int64          `json:"peak_rss_mb"` // of the process; 0 where the system does not tell
	Base     int64          `json:"rss_base_mb"`
	OK       bool           `json:"ok"`
	Error    string         `json:"error"`
	Rows     int64          `json:"rows"`
	Sums     map[string]Sum `json:"sums,omitempty"`
	Read     int64          `json:"bytes_read"`
	Reads    int64          `json:"reads"`
	Inflated int64          `json:"bytes_inflated"`
	Pages    pages          `json:"pages"`

	times       float64 // that it takes of the first engine's processor time
	whole, cold bool    // as those of ownScan
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
			rows := append(o.rows(ctx, w, threads, false, peers), o.rows(ctx, w, threads, true, nil)...)
			closeAll(peers)
			for _, r := range rows {
				ok = ok && (r.OK || r.cold) // not every system can do that
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
			fmt.Fprintf(stdout, "%s: %s of the time and %s of the bytes of a full scan of the same columns (%.2f of %.2f ms, %s of %s)\n", scan.Engine,
				percent(scan.timeOf(r)), percent(scan.bytesOf(r)), scan.least(), r.least(), size(scan.Read), size(r.Read))
		}
	}
	return ok, nil
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

// least returns the least time, to which other work of the machine added least: of the processor for one
// thread that waits for nothing, else of the clock.
func (r *row) least() float64 {
	if cpu := slices.Min(r.CPU); cpu > 0 && r.Threads == 1 && !r.cold {
		return cpu
	}
	return slices.Min(r.Wall)
}

// timeOf returns which part of another row's least time this one takes, bytesOf the same of bytes.
func (r *row) timeOf(full *row) float64  { return r.least() / full.least() }
func (r *row) bytesOf(full *row) float64 { return float64(r.Read) / float64(full.Read) }

// rows measures a workload with each engine, or what is measured cold: once for its answer and its
// traffic, then in turns.
func (o *options) rows(ctx context.Context, w *Workload, threads int, cold bool, peers []*Peer) (rows []*row) {
	var all []*contender
	var measured []*row // of all
	add := func(name string, start func(r *row) (*contender, error)) *row {
		r := &row{Engine: name, Workload: w.Name, Threads: threads, Wall: []float64{}, CPU: []float64{}, cold: cold}
		rows = append(rows, r)
		if c, err := start(r); err != nil {
			r.Error = err.Error()
		} else {
			all, measured = append(all, c), append(measured, r)
		}
		return r
	}
	for _, own := range o.own {
		if own.cold == cold {
			add(own.name, func(r *row) (*contender, error) { return own.start(ctx, r, prepare(w, threads, o.force)) })
		}
	}
	for _, p := range peers {
		add(p.Name, func(r *row) (*contender, error) {
			if rows[0].Error != "" {
				return nil, errors.New("no answer to compare with")
			}
			r.Rows, r.Sums = rows[0].Rows, rows[0].Sums
			return p.contender(ctx, w, &Answer{r.Rows, r.Sums})
		})
	}
	if len(all) == 0 {
		return rows
	}
	debug.FreeOSMemory()
	resetPeak()
	base := memory("VmRSS:")
	err := takeTurns(ctx, all, func(rounds int) bool {
		return rounds >= o.iters || rounds > 0 && slices.ContainsFunc(all, func(c *contender) bool { return sum(c.wall) >= o.budget.Seconds()*1e3 })
	})
	peak := memory("VmHWM:")
	for i, r := range measured {
		r.Wall, r.CPU, r.Base, r.Peak, r.OK = all[i].wall, all[i].cpu, base, peak, err == nil
		if err != nil {
			r.Error = err.Error()
		} else {
			r.times = median(ratios(all[i], all[0]))
		}
	}
	return rows
}

// start runs a scan once, and returns it as a contender.
func (own *ownScan) start(ctx context.Context, r *row, e *winnow) (*contender, error) {
	if own.cold {
		if err := dropCache(e.w.File); err != nil {
			return nil, fmt.Errorf("not measured cold: %w", err)
		}
	}
	if r.whole = own.whole; r.whole {
		if err := e.widen(ctx); err != nil {
			return nil, err
		}
	}
	var t traffic
	c, err := r.warm(ctx, e.w, e.watched(&t), e.scan)
	r.count(&t)
	if own.cold && err == nil {
		c.before = func() error { return dropCache(e.w.File) }
	}
	return c, err
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// warm runs a scan once, judges its answer, and returns a contender whose answers must be the same.
func (r *row) warm(ctx context.Context, w *Workload, first, scan Scan) (*contender, error) {
	answer, err := first(ctx)
	if err != nil {
		return nil, err
	}
	want, err := answer()
	if err != nil {
		return nil, err
	}
	r.Rows, r.Sums = want.Rows, want.Sums
	if fault := w.Judge(want); fault != "" {
		return nil, errors.New(fault)
	}
	return &contender{name: r.Engine, times: 1, run: func(ctx context.Context) (check func() error, err error) {
		answer, err := scan(ctx)
		return func() error {
			got, err := answer()
			if err != nil {
				return err
			}
			if fault := want.Differs(got); fault != "" {
				return errors.New(fault)
			}
			return nil
		}, err
	}}, nil
}

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
