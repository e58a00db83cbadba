package main

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
)

func sampleCommand() *command {
	return &command{
		name: "sample", args: "N FILE...",
		summary: "print N random rows of all files together, in the files' order",
		detail: `
Each row is as likely as any other, and none comes twice. Of the files, only the pages
that hold these rows are read. The same --seed chooses the same rows of the same files.
"-n N" in front means what N does.
` + aboutRows,
		takes: takesSelect | takesLimit | takesRows,
		flags: func(o *options, fs *flag.FlagSet) {
			fs.Var(seedFlag{o}, "seed", "`number` that decides which rows come, in place of chance")
			unnestFlag(o, fs)
		},
		arguments: func(o *options, args []string) ([]string, error) {
			if o.limit >= 0 && o.limit <= maxSample {
				o.sample = o.limit
				return args, nil
			}
			if len(args) == 0 {
				return nil, errors.New("how many rows, of which file?")
			}
			if err := (*rowCount)(&o.sample).Set(args[0]); err != nil || o.sample > maxSample {
				return nil, errors.New("how many rows? want a number up to " + number(maxSample) + " in front of the files, not " + strconv.Quote(args[0]))
			}
			return args[1:], nil
		},
		start: startSample,
	}
}

// maxSample bounds what is kept in memory: a number a row.
const maxSample = 10_000_000

type seedFlag struct{ o *options }

func (s seedFlag) Set(text string) (err error) {
	if s.o.seed, err = strconv.ParseUint(text, 10, 64); err != nil {
		return errors.New("want a number from 0 on")
	}
	s.o.seeded = true
	return nil
}
func (s seedFlag) String() string { return "" }

// startSample draws from the rows of all files, which have to be counted first.
func startSample(ctx context.Context, o *options, args []string, r *report) (*task, error) {
	starts := map[int]int64{} // file: the number of its first row
	all := int64(0)
	count := func(_ context.Context, f *input) error {
		rows, err := rowsOf(f)
		if err == nil && rows <= maxRows-all {
			starts[f.number] = all
			all += rows
		}
		return err
	}
	number := 0
	for _, arg := range args {
		files, _ := expand(arg)
		for _, name := range files {
			// What is wrong with a file is said when its turn comes.
			_ = one(ctx, &task{file: count}, name, number)
			number++
		}
	}
	if !o.seeded {
		o.seed = rand.Uint64()
	}
	drawn := draw(rand.New(rand.NewPCG(o.seed, 0)), o.sample, all)
	c := &catTask{o: o, r: r, out: newRowWriter(r), left: maxRows}
	c.rows = func(f *input) vector.RowSet {
		rows := make(vector.RowSet, len(f.Footer().RowGroups))
		start, counted := starts[f.number]
		if !counted {
			return rows
		}
		next, _ := slices.BinarySearch(drawn, start)
		for i, g := range f.Footer().RowGroups {
			for ; next < len(drawn) && drawn[next] < start+g.NumRows; next++ {
				rows[i] = rows[i].Append(drawn[next]-start, drawn[next]-start+1)
			}
			start += g.NumRows
		}
		return rows
	}
	return c.task(), nil
}

// draw returns n different numbers below all, all of them if there are no
// more, in ascending order. It is Floyd's way, which remembers only what it has.
func draw(rng *rand.Rand, n, all int64) []int64 {
	n = min(n, all)
	has := make(map[int64]bool, n)
	drawn := make([]int64, 0, n)
	for last := all - n; last < all; last++ {
		x := rng.Int64N(last + 1)
		if has[x] {
			x = last
		}
		has[x] = true
		drawn = append(drawn, x)
	}
	slices.Sort(drawn)
	return drawn
}
