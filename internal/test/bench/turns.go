package bench

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// An attempt does something once, and returns the milliseconds of the processor and of the clock that it took.
type attempt func(ctx context.Context) (cpu, wall float64, err error)

// timed returns an attempt that times run, and not the check of what came of it.
func timed(run func(ctx context.Context) (check func() error, err error)) attempt {
	return func(ctx context.Context) (cpu, wall float64, err error) {
		before, start := ProcessorTime(), time.Now()
		check, err := run(ctx)
		if err != nil {
			return 0, 0, err
		}
		cpu, wall = milliseconds(ProcessorTime()-before), milliseconds(time.Since(start))
		return cpu, wall, check()
	}
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())) / 1e3 }

// turns say how long rows take turns: until each had as many as there are rounds, or one had its budget.
type turns struct {
	rounds int
	budget float64 // milliseconds of the clock
	least  float64 // milliseconds of a turn, in which short attempts are repeated; 0: a turn is one attempt
}

// mostAttempts is how many attempts of a turn are timed at most.
const mostAttempts = 10

// take has rows take turns, another one first in each round, so that what else the machine does meets
// all. A row that fails has no more turns. Between turns of other processes, the data of a row leaves the
// processor's caches, and its processor slows down: then each turn begins with attempts that are not timed.
func (t *turns) take(ctx context.Context, rows []*row) {
	others := slices.ContainsFunc(rows, func(r *row) bool { return r.peer })
	spent := 0.0
	for n := 0; n < t.rounds && (n == 0 || spent < t.budget); n++ {
		for i := range rows {
			r := rows[(i+n)%len(rows)]
			if r.Error != "" {
				continue
			}
			if err := t.turn(ctx, r, others && !r.cold); err != nil {
				r.Error = err.Error()
			}
			spent = max(spent, sum(r.Wall))
		}
	}
}

// turn is a row's. With warm, the attempts are made twice, and timed the second time.
func (t *turns) turn(ctx context.Context, r *row, warm bool) error {
	runtime.GC() // nobody pays for what others left behind
	if warm {
		if _, _, err := t.attempts(ctx, r); err != nil {
			return err
		}
	}
	cpu, wall, err := t.attempts(ctx, r)
	if err == nil {
		r.CPU, r.Wall = append(r.CPU, cpu), append(r.Wall, wall)
	}
	return err
}

// attempts makes one attempt, or several short ones, and returns the means of their times.
func (t *turns) attempts(ctx context.Context, r *row) (cpu, wall float64, err error) {
	n := 0.0
	for n == 0 || wall < t.least && n < mostAttempts {
		spent, clock, err := r.again(ctx)
		if err != nil {
			return 0, 0, err
		}
		cpu, wall, n = cpu+spent, wall+clock, n+1
	}
	return cpu / n, wall / n, nil
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// median returns that of a list that is not empty.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
