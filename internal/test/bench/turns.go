package bench

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// A contender works in turns with others.
type contender struct {
	name   string
	before func() error                                              // not timed; nil: nothing
	run    func(ctx context.Context) (check func() error, err error) // check is not timed
	// elsewhere runs it in another process, which tells its own times in milliseconds, instead of run.
	elsewhere func(ctx context.Context) (cpu, wall float64, err error)
	times     int       // that a turn runs it
	cpu, wall []float64 // of one run in each turn, in milliseconds
}

func (c *contender) turn(ctx context.Context) error {
	runtime.GC() // nobody pays for what others left behind
	var cpu, wall float64
	for range c.times {
		spent, clock, err := c.once(ctx)
		if err != nil {
			return err
		}
		cpu, wall = cpu+spent, wall+clock
	}
	c.cpu, c.wall = append(c.cpu, cpu/float64(c.times)), append(c.wall, wall/float64(c.times))
	return nil
}

// once runs the contender, and checks what came of it before there is more.
func (c *contender) once(ctx context.Context) (cpu, wall float64, err error) {
	if c.elsewhere != nil {
		return c.elsewhere(ctx)
	}
	if c.before != nil {
		if err := c.before(); err != nil {
			return 0, 0, err
		}
	}
	before, start := ProcessorTime(), time.Now()
	check, err := c.run(ctx)
	if err != nil {
		return 0, 0, err
	}
	cpu, wall = milliseconds(ProcessorTime()-before), milliseconds(time.Since(start))
	return cpu, wall, check()
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())) / 1e3 }

// takeTurns has contenders take turns, another one first in each round, so that what else the
// machine does meets all. It ends when the rounds so far are enough.
func takeTurns(ctx context.Context, all []*contender, enough func(rounds int) bool) error {
	for n := 0; !enough(n); n++ {
		for i := range all {
			if err := all[(i+n)%len(all)].turn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// ratios returns by how much own takes more processor time than other, turn by turn.
func ratios(own, other *contender) (list []float64) {
	for i, spent := range own.cpu {
		list = append(list, spent/other.cpu[i])
	}
	return list
}

// median returns that of a list that is not empty.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// known returns the median of a list, and how far the true one may be from it, by the ranks
// between which it is 19 times of 20.
func known(list []float64) (middle, off float64) {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	low := max(int(float64(n)/2-math.Sqrt(float64(n))), 0)
	return median(sorted), (sorted[n-1-low] - sorted[low]) / 2
}

// settled reports whether a list tells on which side of a limit its true median is.
func settled(list []float64, limit float64) bool {
	middle, off := known(list)
	return math.Abs(middle-limit) > off
}
