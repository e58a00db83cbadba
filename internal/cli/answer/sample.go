package answer

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

func Sample() *command.Command {
	return &command.Command{
		Name: "sample", Args: "N FILE...",
		Summary: "print N random rows of all files together, in the files' order",
		Detail: `
Each row is as likely as any other, and none comes twice. Of the files, only the pages
that hold these rows are read; with --where, the columns that it asks are read to find
those that pass. The same --seed chooses the same rows of the same files. "-n N" in front
means what N does.
` + command.AboutWhere + aboutRows(),
		Examples: []string{
			"sample 5 weblog.parquet",
			"sample 5 --seed 7 -w 'status >= 500' weblog.parquet",
		},
		Rows:  true,
		Takes: command.TakesSelect | command.TakesWhere | command.TakesLimit,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			fs.Func("seed", "`number` that decides which rows come, in place of chance", func(text string) error {
				o.Seed = new(uint64)
				return command.Number(o.Seed, 64)(text)
			})
			unnestFlag(o, fs)
		},
		Arguments: func(o *command.Options, args []string) ([]string, error) {
			if o.Limit >= 0 && o.Limit <= maxSample {
				if len(args) > 1 && command.Number(new(int64), 63)(args[0]) == nil {
					return nil, errors.New("how many rows? both " + args[0] + " and -n " + table.Number(o.Limit) + " are given; a file of that name is ./" + args[0])
				}
				o.Sample = o.Limit
				return args, nil
			}
			if len(args) == 0 {
				return nil, errors.New("how many rows, of which file?")
			}
			if err := command.Number(&o.Sample, 63)(args[0]); err != nil || o.Sample > maxSample {
				return nil, errors.New("how many rows? want a number up to " + table.Number(maxSample) + " in front of the files, not " + strconv.Quote(args[0]))
			}
			return args[1:], nil
		},
		Run: startSample,
	}
}

const (
	maxSample   = 10_000_000 // bounds the memory, which is a number a row
	maxMetadata = 64 << 20   // bounds that of footers and indexes
)

// startSample counts the rows of each file that pass, and draws from all of them.
func startSample(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
	c, err := newRowTask(ctx, o, in, r)
	if err != nil {
		return nil, err
	}
	in.Opener.Options.Metadata = cache.New(maxMetadata) // the files are opened twice
	populations := map[int]*population{}                // by the file's number
	all := int64(0)
	count := func(ctx context.Context, f *input.File) error {
		defer r.Progress.Begin(f.File, f.Number)()
		p := &population{first: all}
		populations[f.Number] = p
		if _, p.fault = input.RowsOf(f); p.fault == nil {
			options := f.Filtered(o.Where.Expr)
			r.Progress.Watch(&options, "")
			p.rows, p.fault = f.Passing(ctx, options)
		}
		if n := p.rows.Len(); n <= input.MaxRows-all {
			all += n
		} else {
			p.rows = nil
		}
		return nil
	}
	in.Survey(ctx, o.Where.Expr, count)
	r.Progress.Again()
	seed := rand.Uint64()
	if o.Seed != nil {
		seed = *o.Seed
	}
	drawn := draw(rand.New(rand.NewPCG(seed, 0)), o.Sample, all)
	c.left = input.MaxRows
	c.rows = func(f *input.File) (vector.RowSet, error) {
		p := populations[f.Number]
		if p == nil {
			return vector.RowSet{}, nil
		}
		return p.pick(drawn), p.fault
	}
	t := c.task()
	t.Ahead = c.ahead(o.Sample)
	return t, nil
}

// population is the rows of a file to draw from.
type population struct {
	first int64 // the number of its first row that passes, among those of all files
	rows  vector.RowSet
	fault error
}

// pick returns the rows with the numbers that were drawn, which ascend.
func (p *population) pick(drawn []int64) vector.RowSet {
	picked := make(vector.RowSet, len(p.rows))
	next, _ := slices.BinarySearch(drawn, p.first)
	number := p.first // of the next row, as drawn counts
	for i, rows := range p.rows {
		for _, r := range rows {
			for ; next < len(drawn) && drawn[next] < number+r.Len(); next++ {
				row := r.From + drawn[next] - number
				picked[i] = picked[i].Append(row, row+1)
			}
			number += r.Len()
		}
	}
	return picked
}

// draw returns n different numbers below all, or all of these if they are fewer,
// in ascending order. Floyd's algorithm needs memory only for the numbers drawn.
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
