package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// report prints rows: JSON as they come, a table when all are there. A table has how many times the
// first engine's processor time each takes, and of peers, which are other processes, only rows and times.
type report struct {
	lines  *json.Encoder
	table  *tabwriter.Writer
	faults []string // of rows, told below the table
}

func newReport(w io.Writer, lines bool) *report {
	if lines {
		return &report{lines: json.NewEncoder(w)}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, strings.Join([]string{"workload", "engine", "threads", "rows", "min ms", "median ms", "cpu ms", "× first", "peak MB",
		"read MB", "reads", "pages: decoded", "undecoded", "undecompressed", "unread", ""}, "\t"))
	return &report{table: t}
}

func (r *report) add(x *row) error {
	if r.lines != nil {
		return r.lines.Encode(x)
	}
	if !x.OK {
		fault := fmt.Sprintf("%s, %s: %s", x.Workload, x.Engine, strings.TrimPrefix(x.Error, x.Engine+": "))
		if !slices.Contains(r.faults, fault) { // by another number of threads
			r.faults = append(r.faults, fault)
		}
		_, err := fmt.Fprintf(r.table, "%s\t%s\t%d\t-%s\n", x.Workload, x.Engine, x.Threads, strings.Repeat("\t", 12))
		return err
	}
	traffic := strings.Repeat("\t", 7)
	if x.Reads > 0 {
		traffic = fmt.Sprintf("%d\t%.2f\t%d\t%d\t%d\t%d\t%d\t", x.Peak,
			float64(x.Read)/1e6, x.Reads, x.Pages.Decoded, x.Pages.Undecoded, x.Pages.Undecompressed, x.Pages.Unread)
	}
	_, err := fmt.Fprintf(r.table, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%s\n", x.Workload, x.Engine, x.Threads, x.Rows,
		slices.Min(x.Wall), median(x.Wall), median(x.CPU), x.times, traffic)
	return err
}

func (r *report) end() error {
	if r.table == nil {
		return nil
	}
	for _, fault := range r.faults {
		fmt.Fprintln(r.table, fault)
	}
	return r.table.Flush()
}
