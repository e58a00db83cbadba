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
	seed   uint64
	cells  []sweepCell
	space  *sweepSpace
	rounds int
	rows   int
	json   bool
	peers  peerFlags
}

func parseSweep(args []string, stderr io.Writer) (o *sweepOptions, err error) {
	o = &sweepOptions{space: newSweepSpace()}
	fs := flag.NewFlagSet("bench sweep", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Uint64Var(&o.seed, "seed", 1, "`number` that cells and data are drawn by")
	fs.IntVar(&o.rounds, "rounds", 3, "`number` of turns that each has")
	fs.IntVar(&o.rows, "rows", 0, "`rows` of each file; 0 for some 8 MB of a column")
	fs.BoolVar(&o.json, "json", false, "print JSON lines")
	cells := fs.Int("cells", 300, "`number` of cells")
	only := fs.String("only", "", "`text` in the names of the cells to run, or a whole name")
	o.peers.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 || o.rounds < 1 || o.rows != 0 && o.rows < 1000 || *cells < 1 {
		return nil, errors.New("sweep takes no files, and wants one of --rounds and --cells at least, and 1000 of --rows")
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
	Values  int64              `json:"values"` // of the pages that must be touched
	Bytes   int64              `json:"bytes"`  // of these before compression
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
	out := &sweepReport{w: stdout, peers: peers, absent: absent}
	if !o.json {
		out.begin(o)
	}
	ok = true
	for i := range o.cells {
		row := &sweepRow{Cell: o.cells[i].String(), cell: o.cells[i]}
		if err := o.measure(ctx, row, peers, filepath.Join(dir, "cell.parquet")); err != nil {
			row.Faults = append(row.Faults, err.Error())
			ok = false
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if o.json {
			err = json.NewEncoder(stdout).Encode(row)
		} else {
			err = out.add(row)
		}
		if err != nil {
			return false, err
		}
	}
	if !o.json {
		err = out.end()
	}
	return ok, err
}

// How long a turn of a contender is at least, in milliseconds, and how often it runs in it at most.
const (
	leastSweepTurn = 5
	mostSweepRuns  = 10
)

// measure makes a cell's file and measures its scan, its floor, and the peers. An answer of a peer
// that differs is a fault of the row, and no error.
func (o *sweepOptions) measure(ctx context.Context, r *sweepRow, peers []*Peer, path string) error {
	f, err := o.space.build(&r.cell, o.seed, o.rows, path)
	if err != nil {
		return err
	}
	w := &f.workload
	r.Rows, r.Values, r.Bytes = f.rows, f.values, f.bytes
	first, scan := &row{Engine: "scan"}, prepare(w, 1, nil).scan
	own, err := first.warm(ctx, w, scan, scan)
	if err != nil {
		return err
	}
	r.Passing = first.Rows
	before := faults()
	cpu, _, err := own.once(ctx)
	if err != nil {
		return err
	}
	r.Cold = min((faults()-before)*int64(os.Getpagesize()), f.result)
	floor, err := f.floor(r.Cold)
	if err != nil {
		return err
	}
	all := []*contender{own, {name: "floor", run: floor}}
	for _, p := range peers {
		c, err := p.contender(ctx, w, &Answer{Rows: first.Rows, Sums: first.Sums})
		if err != nil {
			r.Faults = append(r.Faults, err.Error())
			continue
		}
		ask := c.elsewhere
		c.elsewhere = func(ctx context.Context) (cpu, wall float64, err error) {
			if cpu, wall, err = ask(ctx); err != nil {
				r.Faults = append(r.Faults, err.Error())
				return math.Inf(1), math.Inf(1), ctx.Err() // as long as it takes
			}
			return cpu, wall, nil
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.times = 1 + int(min(leastSweepTurn/max(cpu, 0.01), mostSweepRuns-1))
	}
	if err := takeTurns(ctx, all, func(rounds int) bool { return rounds == o.rounds }); err != nil {
		return err
	}
	r.CPU, r.Wall, r.Floor = median(own.cpu), median(own.wall), median(all[1].cpu)
	r.Peers = map[string]float64{}
	for _, c := range all[2:] {
		ms := median(c.cpu)
		if math.IsInf(ms, 1) {
			continue
		}
		if r.Peers[c.name] = ms; r.Best == "" || ms < r.Peers[r.Best] {
			r.Best, r.Ratio = c.name, ms/max(r.CPU, 1e-3)
		}
	}
	return nil
}

// floor returns a contender's run that does what no scan of the workload gets around: it opens the
// file, decompresses the pages that must be touched, and writes the values that are returned once,
// some of them to memory that was not touched before.
func (f *sweepFile) floor(cold int64) (run func(ctx context.Context) (check func() error, err error), err error) {
	c, err := codec.NewSet(codec.Options{Spare: 64}).Codec(f.codec)
	if err != nil {
		return nil, err
	}
	warm, source := make([]byte, f.result-cold), make([]byte, max(f.result, 1))
	for i := range source {
		source[i] = byte(i)
	}
	var body []byte
	return func(ctx context.Context) (check func() error, err error) {
		file, err := scanner.Open(ctx, f.workload.File)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		for _, p := range f.pages {
			if f.codec == thrift.CodecUncompressed {
				break
			}
			if body, err = c.Decode(body[:0], f.data[p.Body:p.End], int(p.Size)); err != nil {
				return nil, err
			}
		}
		copy(warm, source)
		fresh, free, err := untouched(int(cold))
		if err != nil {
			return nil, err
		}
		copy(fresh, source[len(warm):])
		return func() error { free(); return nil }, nil
	}, nil
}
