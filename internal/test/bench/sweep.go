package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// sweepOptions are the flags of
//
//	bench sweep --seed 1 --peers --only gzip
//
// which asks for the kinds of files and scans that are slow. A cell is a file with one choice of
// each dimension, and a scan of it: sweep_cells.go has the dimensions, sweep_file.go what they mean.
type sweepOptions struct {
	turns
	seed  uint64
	cells []sweepCell
	space *sweepSpace
	rows  int
	json  bool
	peers peerFlags
}

func parseSweep(args []string, stderr io.Writer) (o *sweepOptions, err error) {
	o = &sweepOptions{space: newSweepSpace(), turns: turns{budget: math.Inf(1), least: 5}}
	fs := flag.NewFlagSet("bench sweep", flag.ContinueOnError)
	fs.Uint64Var(&o.seed, "seed", 1, "`number` that cells and data are drawn by")
	fs.IntVar(&o.rounds, "rounds", 3, "`number` of turns that each scan has; a time is the median of them")
	fs.IntVar(&o.rows, "rows", 0, "`rows` of each file; 0: as many as make some 8 MB of a column")
	fs.BoolVar(&o.json, "json", false, "print JSON lines")
	cells := fs.Int("cells", 300, "`number` of cells: kinds of files, with a scan of each")
	only := fs.String("only", "", "`text` that is in the names of the cells to run, or a whole name")
	o.peers.register(fs)
	if err := parseFlags(fs, args, "Usage of bench sweep:\n", stderr); err != nil {
		return nil, err
	}
	switch {
	case fs.NArg() > 0:
		return nil, errors.New("sweep makes its files, and takes none")
	case o.rounds < 1 || *cells < 1:
		return nil, errors.New("--rounds, --cells: want one at least")
	case o.rows != 0 && o.rows < 1000:
		return nil, errors.New("--rows: want 1000 at least, or 0")
	}
	o.cells, err = o.space.named(o.space.draw(o.seed, *cells), *only)
	return o, err
}

// sweepRow is what was measured of a cell. Times are medians of processor time in milliseconds.
type sweepRow struct {
	Cell    string             `json:"cell"`
	Rows    int                `json:"rows"`
	Passing int64              `json:"passing"`
	CPU     float64            `json:"cpu_ms"`
	Wall    float64            `json:"wall_ms"`
	Floor   float64            `json:"floor_ms"`
	Full    float64            `json:"full_ms,omitempty"` // of the same columns without the condition; 0: there is none
	Values  int64              `json:"values"`            // of the pages that must be touched
	Bytes   int64              `json:"bytes"`             // of these before compression
	Cold    int64              `json:"bytes_cold"`
	Peers   map[string]float64 `json:"peers_ms,omitempty"`
	Best    string             `json:"best_peer,omitempty"`
	Ratio   float64            `json:"best_by_own,omitempty"` // the best peer's time as a multiple of ours
	Faults  []string           `json:"errors,omitempty"`

	cell sweepCell
}

// run is a command.
func (o *sweepOptions) run(ctx context.Context, stdout io.Writer) (ok bool, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dir, err := os.MkdirTemp("", "bench-sweep")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	peers, absent, err := o.peers.start(ctx, 1)
	if err != nil {
		return false, err
	}
	defer closeAll(peers)
	report := &sweepReport{w: stdout, peers: peers, absent: absent}
	show := report.add
	if o.json {
		report.w = io.Discard
		show = func(r *sweepRow) error { return json.NewEncoder(stdout).Encode(r) }
	}
	report.begin(o)
	ok = true
	for _, c := range o.cells {
		r := &sweepRow{Cell: c.String(), cell: c}
		if err := o.measure(ctx, r, peers, filepath.Join(dir, "cell.parquet")); err != nil {
			r.Faults = append(r.Faults, err.Error())
			ok = false
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err := show(r); err != nil {
			return false, err
		}
	}
	report.end()
	return ok, nil
}

// measure makes a cell's file and measures its scan, its floor, the scan without its condition, and the
// peers. An answer of a peer that differs is a fault of the row, and no error.
func (o *sweepOptions) measure(ctx context.Context, r *sweepRow, peers []*Peer, path string) error {
	f, err := o.space.build(&r.cell, o.seed, o.rows, path)
	if err != nil {
		return err
	}
	scans := ownScans()
	entrants := []entrant{scans[0].entrant(), {"floor", f.floor}}
	if f.workload.Where != nil {
		entrants = append(entrants, scans[1].entrant())
	}
	own := len(entrants)
	for _, p := range peers {
		entrants = append(entrants, p.entrant())
	}
	all := o.measured(ctx, &f.workload, 1, entrants)
	for _, x := range all[:own] {
		if !x.OK {
			return errors.New(x.Error)
		}
	}
	r.Rows, r.Values, r.Bytes, r.Cold, r.Passing = f.rows, f.values, f.bytes, f.cold, all[0].Rows
	r.CPU, r.Wall, r.Floor = median(all[0].CPU), median(all[0].Wall), median(all[1].CPU)
	if own > 2 {
		r.Full = median(all[2].CPU)
	}
	r.Peers = map[string]float64{}
	for _, x := range all[own:] {
		if !x.OK {
			r.Faults = append(r.Faults, x.Error)
			continue
		}
		ms := median(x.CPU)
		if r.Peers[x.Engine] = ms; r.Best == "" || ms < r.Peers[r.Best] {
			r.Best, r.Ratio = x.Engine, ms/max(r.CPU, 1e-3)
		}
	}
	return nil
}

// floor starts an entrant that does what no scan of the workload gets around: it opens the file,
// decompresses the pages that must be touched, and writes the values that are returned once, to memory of
// which as much was not touched before as a scan touches for the first time.
func (f *sweepFile) floor(ctx context.Context, w *Workload, _ *row, before []*row) (attempt, error) {
	scan, touched := before[0], faults()
	if scan.Error != "" {
		return nil, errors.New("no scan to compare with")
	}
	if _, _, err := scan.again(ctx); err != nil {
		return nil, err
	}
	f.cold = min((faults()-touched)*int64(os.Getpagesize()), f.result)
	c, err := codec.NewSet(codec.Options{Spare: 64}).Codec(f.codec)
	if err != nil {
		return nil, err
	}
	pages := f.pages
	if f.codec == thrift.CodecUncompressed {
		pages = nil
	}
	warm, source := make([]byte, f.result-f.cold), make([]byte, max(f.result, 1))
	for i := range source {
		source[i] = byte(i)
	}
	var body []byte
	return timed(func(ctx context.Context) (check func() error, err error) {
		file, err := scanner.Open(ctx, w.File)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		for _, p := range pages {
			if body, err = c.Decode(body[:0], f.data[p.Body:p.End], int(p.Size)); err != nil {
				return nil, err
			}
		}
		copy(warm, source)
		fresh, free, err := untouched(int(f.cold))
		if err != nil {
			return nil, err
		}
		copy(fresh, source[len(warm):])
		return func() error { free(); return nil }, nil
	}), nil
}
