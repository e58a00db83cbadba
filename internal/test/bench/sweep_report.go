package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// A sweepReport prints rows as they come, and at its end what stands out.
type sweepReport struct {
	w      io.Writer
	peers  []*Peer
	absent []string
	rows   []*sweepRow
}

const (
	ratioCap      = 4    // ratios above it count as it in means
	enoughOfPeer  = 0.85 // the ratio of the best peer's time to ours that is good enough
	farNeighbour  = 3    // so many times the time a value of a neighbour is much
	worstListed   = 10
	nearestValues = 10_000 // with fewer values, opening the file is what a cell measures

	// A filter may cost so many times the time without it, or so many nanoseconds a row, whichever is more.
	mostOfUnfiltered = 1.03
	mostOfRow        = 0.5
)

func (r *sweepReport) begin(o *sweepOptions) {
	fmt.Fprintf(r.w, "seed %d, %d cells, one thread; processor time, the median of the turns of each (%d)\n", o.seed, len(o.cells), o.rounds)
	for _, p := range r.peers {
		fmt.Fprintln(r.w, "peer:", p.Name, p.Version)
	}
	for _, fault := range r.absent {
		fmt.Fprintln(r.w, "absent:", fault)
	}
	fmt.Fprintln(r.w, "cell: type/encoding/codec/% of NULLs/rows a page/rows a row group/condition/columns that are returned/order of the rows")
	best := map[bool]string{true: "  best peer ÷ ours"}[len(r.peers) > 0]
	fmt.Fprintf(r.w, "%-86s %8s %8s %8s %8s %8s %8s%s\n", "cell", "rows", "passing", "ms", "ns/value", "GB/s", "× floor", best)
}

// perValue returns nanoseconds a value, 0 where none must be touched.
func (r *sweepRow) perValue() float64 {
	if r.Values == 0 {
		return 0
	}
	return r.CPU * 1e6 / float64(r.Values)
}

func (r *sweepRow) overFloor() float64 { return r.CPU / max(r.Floor, 1e-3) }

func (r *sweepReport) add(x *sweepRow) error {
	r.rows = append(r.rows, x)
	line := fmt.Sprintf("%-86s %8d %8d %8.3f %8.2f %8.2f %8.2f", x.Cell, x.Rows, x.Passing, x.CPU, x.perValue(), float64(x.Bytes)/max(x.CPU, 1e-3)/1e6, x.overFloor())
	if x.Best != "" {
		line += fmt.Sprintf("  %.2f %s", x.Ratio, x.Best)
	}
	for _, fault := range x.Faults {
		line += "\n    " + fault
	}
	_, err := fmt.Fprintln(r.w, line)
	return err
}

// end prints what stands out: neighbours that are far apart, filters that cost more than they save, cells
// far above their floor, and those where a peer is ahead.
func (r *sweepReport) end() {
	rows := slices.DeleteFunc(slices.Clone(r.rows), func(x *sweepRow) bool { return x.CPU == 0 })
	r.neighbours(rows)
	dear := slices.DeleteFunc(slices.Clone(rows), func(x *sweepRow) bool { return !x.costsMore() })
	fmt.Fprintf(r.w, "\nscans that take more than %[2]g times as long as without their filter, and %[3]g ns a row longer: %[1]d\n", len(dear), mostOfUnfiltered, mostOfRow)
	for _, x := range dear {
		fmt.Fprintf(r.w, "%8.2f %8.3f ms, %.3f ms  %s\n", x.CPU/x.Full, x.CPU, x.Full, x.Cell)
	}
	slices.SortStableFunc(rows, func(a, b *sweepRow) int { return cmp.Compare(b.overFloor(), a.overFloor()) })
	fmt.Fprintln(r.w, "\nfarthest above their floor: × floor, ms")
	for _, x := range rows[:min(worstListed, len(rows))] {
		fmt.Fprintf(r.w, "%8.2f %8.3f ms  %s\n", x.overFloor(), x.CPU, x.Cell)
	}
	r.besidePeers(rows)
}

// costsMore reports whether the scan takes longer than one of the same columns without its condition.
func (r *sweepRow) costsMore() bool {
	return r.Full > 0 && r.CPU > mostOfUnfiltered*r.Full && r.CPU-r.Full > mostOfRow*float64(r.Rows)/1e6
}

func (r *sweepReport) neighbours(rows []*sweepRow) {
	var lines []string
	for i, a := range rows {
		for _, b := range rows[:i] {
			slow, fast := a, b
			if slow.perValue() < fast.perValue() {
				slow, fast = b, a
			}
			times := slow.perValue() / fast.perValue()
			if times > farNeighbour && a.cell.differs(&b.cell) == 1 && min(a.Values, b.Values) >= nearestValues {
				lines = append(lines, fmt.Sprintf("%8.1f %8.2f ns  %s\n%8s %8.2f ns  %s", times, slow.perValue(), slow.Cell, "", fast.perValue(), fast.Cell))
			}
		}
	}
	fmt.Fprintf(r.w, "\npairs of cells that differ in one part of their names, and more than %[2]d times in ns/value: %[1]d\n", len(lines), farNeighbour)
	for _, line := range lines {
		fmt.Fprintln(r.w, line)
	}
}

func (r *sweepReport) besidePeers(rows []*sweepRow) {
	rows = slices.DeleteFunc(rows, func(x *sweepRow) bool { return x.Best == "" })
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b *sweepRow) int { return cmp.Compare(a.Ratio, b.Ratio) })
	logs, good := 0.0, 0
	for _, x := range rows {
		if logs += math.Log(min(x.Ratio, ratioCap)); x.Ratio >= enoughOfPeer {
			good++
		}
	}
	n := float64(len(rows))
	fmt.Fprintf(r.w, "\nbest peer ÷ ours: geometric mean %.2f (ratios capped at %d), at least %.2f in %.1f %% of %d cells\n",
		math.Exp(logs/n), ratioCap, enoughOfPeer, 100*float64(good)/n, len(rows))
	for _, x := range rows[:min(max(worstListed, len(rows)-good), len(rows))] {
		fmt.Fprintf(r.w, "%8.2f %8.3f ms, %s %.3f ms  %s\n", x.Ratio, x.CPU, x.Best, x.Peers[x.Best], x.Cell)
	}
}
