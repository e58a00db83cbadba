package bench

import (
	"context"
	_ "embed" // peers.py
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Peer is another engine that scans in a process of its own. It is used by one goroutine.
//
// A process answers each line that it reads on its standard input by a line on its standard output;
// peers.py says what stands in them. Its first line tells its version. BENCH_THREADS is the number
// of threads that it may use.
type Peer struct {
	Name, Version string
	threads       int
	command       []string
	process       *exec.Cmd // nil: not running
	in            io.WriteCloser
	out           *json.Decoder
}

//go:embed peers.py
var peersOfPython string

// peerFlags choose peers.
type peerFlags struct {
	installed bool
	python    string
	commands  []string // NAME=COMMAND
}

func (f *peerFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&f.installed, "peers", false, "compare with the engines that Python can import: "+strings.Join(enginesOfPython(), ", "))
	fs.StringVar(&f.python, "python", "python3", "`interpreter` that imports the engines of --peers")
	fs.Func("peer", "`name=command` of an engine that speaks the protocol of internal/test/bench/peers.py; may stand several times", func(s string) error {
		name, command, _ := strings.Cut(s, "=")
		if name == "" || strings.TrimSpace(command) == "" {
			return errors.New("want name=command")
		}
		f.commands = append(f.commands, s)
		return nil
	})
}

func enginesOfPython() []string { return []string{"polars", "duckdb", "datafusion", "pyarrow"} }

// start starts the peers that the flags choose, and says which are absent and why. One that was
// named by a command must be there.
func (f *peerFlags) start(ctx context.Context, threads int) (peers []*Peer, absent []string, err error) {
	if !f.installed && f.python != "python3" {
		return nil, nil, errors.New("--python goes with --peers")
	}
	for _, named := range f.commands {
		name, command, _ := strings.Cut(named, "=")
		p := &Peer{Name: name, command: strings.Fields(command), threads: threads}
		if err := p.start(ctx); err != nil {
			closeAll(peers)
			return nil, nil, err
		}
		peers = append(peers, p)
	}
	if !f.installed {
		return peers, nil, nil
	}
	engines := enginesOfPython()
	if _, err := exec.LookPath(f.python); err != nil {
		absent, engines = append(absent, err.Error()), nil
	}
	for _, name := range engines {
		p := &Peer{Name: name, command: []string{f.python, "-c", peersOfPython, name}, threads: threads}
		if err := p.start(ctx); err != nil {
			absent = append(absent, err.Error())
		} else {
			peers = append(peers, p)
		}
	}
	if len(peers) == 0 {
		return nil, nil, fmt.Errorf("--peers: no engine to compare with: pip install polars duckdb datafusion pyarrow, or name another interpreter by --python\n  %s", strings.Join(absent, "\n  "))
	}
	return peers, absent, nil
}

func closeAll(peers []*Peer) {
	for _, p := range peers {
		p.Close()
	}
}

// start starts the process, and reads its first line.
func (p *Peer) start(ctx context.Context) (err error) {
	c := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	c.Env = os.Environ()
	for _, name := range []string{"BENCH_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS", "OMP_NUM_THREADS"} {
		c.Env = append(c.Env, fmt.Sprint(name, "=", p.threads))
	}
	if p.in, err = c.StdinPipe(); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	p.process, p.out = c, json.NewDecoder(out)
	var hello peerAnswer
	if err := p.read(&hello); err != nil {
		p.Close()
		return err
	}
	p.Version = hello.Version
	return nil
}

// peerAnswer is a line of a peer.
type peerAnswer struct {
	Error   string         `json:"error"`
	Unable  string         `json:"unable"` // why the engine does not understand the scan
	Version string         `json:"version"`
	Wall    float64        `json:"wall_ms"`
	CPU     float64        `json:"cpu_ms"`
	Rows    int64          `json:"rows"`
	Sums    map[string]Sum `json:"sums"`
}

var errUnable = errors.New("cannot be asked")

// longestAnswer bounds how long a peer may take for one scan.
const longestAnswer = time.Minute

// read reads a line. A process that does not answer is stopped.
func (p *Peer) read(a *peerAnswer) error {
	process := p.process.Process
	late := time.AfterFunc(longestAnswer, func() { _ = process.Kill() })
	err := p.out.Decode(a)
	late.Stop()
	switch {
	case errors.Is(err, io.EOF):
		p.Close()
		return fmt.Errorf("%s: the process ended without an answer", p.Name)
	case err != nil:
		p.Close()
		return fmt.Errorf("%s: the answer is not a line of JSON: %w", p.Name, err)
	case a.Unable != "":
		return fmt.Errorf("%s: %w: %s", p.Name, errUnable, a.Unable)
	case a.Error != "":
		return fmt.Errorf("%s: %s", p.Name, a.Error)
	}
	return nil
}

// ask has the peer scan for a workload once. A process that has ended is started again.
func (p *Peer) ask(ctx context.Context, w *Workload) (a peerAnswer, err error) {
	if p.process == nil {
		if err := p.start(ctx); err != nil {
			return a, err
		}
	}
	line := struct {
		File    string     `json:"file"`
		Columns []string   `json:"columns"` // null: all
		Where   *Condition `json:"where"`
		Count   bool       `json:"count"`
		Threads int        `json:"threads"`
	}{w.File, w.Project, w.Where, w.Counts(), p.threads}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = p.in.Write(append(text, '\n'))
	}
	if err != nil {
		p.Close()
		return a, fmt.Errorf("%s: %w", p.Name, err)
	}
	return a, p.read(&a)
}

// entrant is the peer, whose answers must be those of the first entrant.
func (p *Peer) entrant() entrant {
	return entrant{p.Name, func(ctx context.Context, w *Workload, r *row, before []*row) (attempt, error) {
		if before[0].Error != "" {
			return nil, errors.New("no answer to compare with")
		}
		r.peer = true
		r.Rows, r.Sums = before[0].Rows, before[0].Sums
		wanted := &Workload{Rows: &r.Rows, Sums: r.Sums}
		again := func(ctx context.Context) (cpu, wall float64, err error) {
			a, err := p.ask(ctx, w)
			if fault := wanted.Judge(&Answer{a.Rows, a.Sums}); err == nil && fault != "" {
				err = fmt.Errorf("%s: %s", p.Name, fault)
			}
			return a.CPU, a.Wall, err
		}
		_, _, err := again(ctx)
		return again, err
	}}
}

// Close ends the process.
func (p *Peer) Close() {
	if p.process == nil {
		return
	}
	_ = p.in.Close()
	process := p.process.Process
	late := time.AfterFunc(time.Second, func() { _ = process.Kill() })
	_ = p.process.Wait()
	late.Stop()
	p.process = nil
}
