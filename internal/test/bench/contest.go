package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// A contest is a scan against others, on one thread. Batches are released as they come.
type contest struct {
	name   string // as many columns as the heading has
	file   *scanner.File
	own    scanOptions
	rivals []rival
	limit  limit
}

// A rival is another way to scan the file.
type rival struct {
	name    string
	options scanOptions
	rows    int64 // that it finds; 0: those of the scan that it is compared with
}

// A limit is how much processor time a scan may take: so many times that of its best rival, or
// so many milliseconds more, whichever is larger.
type limit struct{ ratio, more float64 }

// of returns the limit as a ratio to a rival's time.
func (l limit) of(rival float64) float64 { return max(l.ratio, 1+l.more/rival) }

// outcome is what came of a contest: medians, of times in milliseconds.
type outcome struct {
	rows              int64
	own, best         float64
	ratio, off, limit float64 // off: how far the ratio may be from the true one
	over              float64 // the ratio above its limit
	pairs             int
	name              string // of the best rival
	worst             string // of several
}

const outcomeHeading = "      rows    A ms  best ms  A/best    ±off   limit  pairs  best"

func (o *outcome) String() string {
	return fmt.Sprintf("%10d %7.2f %8.2f  %6.3f  %6.3f  %6.3f  %5d  %s%s", o.rows, o.own, o.best, o.ratio, o.off, o.limit, o.pairs, o.name, o.worst)
}

// hold runs contests and prints what comes of them. It is ok if none is above its limit.
func hold(ctx context.Context, stdout io.Writer, heading string, pairs int, contests iter.Seq2[*contest, error]) (ok bool, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Fprintln(stdout, heading+outcomeHeading)
	over := 0
	for c, err := range contests {
		if err != nil {
			return false, err
		}
		o, err := c.run(ctx, pairs)
		if err != nil {
			return false, err
		}
		if o.over > 0 {
			over++
		}
		if _, err := fmt.Fprintf(stdout, "%s%s\n", c.name, &o); err != nil {
			return false, err
		}
	}
	_, err = fmt.Fprintln(stdout, over, "are above their limit")
	return over == 0, err
}

// leastTurn is how many milliseconds a turn takes at least, about.
const leastTurn = 10

// moreIfClose is how many times as many pairs are run as were asked for, at most, where these
// do not tell on which side of its limit a contest is.
const moreIfClose = 10

// run has the rivals take turns, to find the best of them, and then the scan and that one so
// many pairs of turns, or more if it is close. The best of many is partly luck, which the pairs
// do not share.
func (c *contest) run(ctx context.Context, pairs int) (o outcome, err error) {
	o.rows = -1
	own := c.contender("", c.own, &o.rows)
	if err := takeTurns(ctx, []*contender{own}, func(rounds int) bool { return rounds == 2 }); err != nil {
		return o, err
	}
	own.times = 1 + int(min(leastTurn/max(own.cpu[1], 0.01), 100)) // short ones run several times in a turn
	own.cpu = nil
	var all []*contender
	for i := range c.rivals {
		r, rows := &c.rivals[i], &o.rows
		if r.rows > 0 {
			rows = &r.rows
		}
		rival := c.contender(r.name, r.options, rows)
		rival.times = own.times
		all = append(all, rival)
	}
	search := 1 + pairs/4
	if len(all) == 1 {
		search = 1 // memory grows to its size
	}
	if err := takeTurns(ctx, all, func(rounds int) bool { return rounds == search }); err != nil {
		return o, err
	}
	slices.SortStableFunc(all, func(a, b *contender) int { return cmp.Compare(median(a.cpu), median(b.cpu)) })
	if worst := all[len(all)-1]; len(all) > 1 {
		o.worst = fmt.Sprintf(", worst %s: %.2f", worst.name, median(worst.cpu))
	}
	best := all[0]
	best.cpu = nil
	limits := func() (of, over []float64) {
		for i, ratio := range ratios(own, best) {
			of = append(of, c.limit.of(best.cpu[i]))
			over = append(over, ratio-of[i])
		}
		return of, over
	}
	err = takeTurns(ctx, []*contender{own, best}, func(rounds int) bool {
		if rounds == 0 || rounds%pairs > 0 {
			return false
		}
		_, over := limits()
		return rounds == moreIfClose*pairs || settled(over, 0)
	})
	if err != nil {
		return o, err
	}
	of, over := limits()
	o.own, o.best, o.name, o.pairs = median(own.cpu), median(best.cpu), best.name, len(own.cpu)
	o.ratio, o.off = known(ratios(own, best))
	o.limit, o.over = median(of), median(over)
	return o, nil
}

// contender scans, and drops the rows that it finds. If their number is not known, below 0, it
// is that of the first run.
func (c *contest) contender(name string, o scanOptions, rows *int64) *contender {
	return &contender{name: name, times: 1, run: func(ctx context.Context) (check func() error, err error) {
		found := int64(0)
		for b, err := range o.scan(ctx, c.file) {
			if err != nil {
				return nil, err
			}
			found += int64(b.Len)
			b.Release()
		}
		return func() error {
			if *rows < 0 {
				*rows = found
			}
			if found != *rows {
				return fmt.Errorf("%s: %d rows, and %d in another way", c.file.Name(), *rows, found)
			}
			return nil
		}, nil
	}}
}

// mostOfBest is what a scan that chooses may take of the time of the best one that is forced.
const mostOfBest = 1.10

// mostParts is how many conditions are put in all orders, 24 then.
const mostParts = 4

// orders returns the command that compares workloads whose condition is an And of a few with
// scans that run those in one order each, and learn nothing about them.
func (o *options) orders() (command, error) {
	for _, w := range o.workloads {
		if w.Where == nil || len(w.Where.Parts) < 2 || len(w.Where.Parts) > mostParts {
			return nil, fmt.Errorf("%s: no And of 2 to %d conditions", w.Name, mostParts)
		}
	}
	return func(ctx context.Context, stdout io.Writer) (ok bool, err error) {
		return hold(ctx, stdout, fmt.Sprintf("%-20s", "workload"), o.pairs, func(yield func(*contest, error) bool) {
			for _, w := range o.workloads {
				if !o.orderContest(ctx, w, yield) {
					return
				}
			}
		})
	}, nil
}

func (o *options) orderContest(ctx context.Context, w *Workload, yield func(*contest, error) bool) bool {
	f, err := scanner.Open(ctx, w.File)
	if err != nil {
		return yield(nil, err)
	}
	defer f.Close()
	c := &contest{name: fmt.Sprintf("%-20s", w.Name), file: f, own: prepare(w, 1, o.force).options, limit: limit{ratio: mostOfBest}}
	for _, order := range permutations(len(w.Where.Parts)) {
		var parts []*filter.Expr
		for _, i := range order {
			parts = append(parts, w.Where.Parts[i])
		}
		r := rival{name: fmt.Sprint("order ", order), options: c.own}
		r.options.Filter = filter.And(parts...)
		r.options.knobs.FixedOrder = true
		c.rivals = append(c.rivals, r)
	}
	return yield(c, nil)
}

// permutations returns the orders of n things.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}
