package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/scanner"
)

// side is a scan that takes turns with others.
type side struct {
	file    *scanner.File
	options scanOptions
	rows    int64     // that it finds, each time
	times   int       // that a turn runs it
	spent   []float64 // processor time of one scan in each turn, in milliseconds
}

// warm runs a scan once, which is no turn: memory grows to its size.
func warm(ctx context.Context, f *scanner.File, o scanOptions) (s *side, err error) {
	s = &side{file: f, options: o, times: 1}
	s.rows, err = s.scan(ctx)
	return s, err
}

// by is another way to the same rows, that had no turn yet.
func (s *side) by(o scanOptions) *side {
	return &side{file: s.file, options: o, rows: s.rows, times: s.times}
}

// scan drops the rows that it finds.
func (s *side) scan(ctx context.Context) (rows int64, err error) {
	for b, err := range s.options.scan(ctx, s.file) {
		if err != nil {
			return 0, err
		}
		rows += int64(b.Len)
		b.Release()
	}
	return rows, nil
}

func (s *side) turn(ctx context.Context) error {
	runtime.GC()
	start := processorTime()
	for range s.times {
		rows, err := s.scan(ctx)
		if err != nil {
			return err
		}
		if rows != s.rows {
			return fmt.Errorf("%s: %d rows, and %d in another way", s.file.Name(), s.rows, rows)
		}
	}
	s.spent = append(s.spent, float64(processorTime()-start)/float64(time.Millisecond)/float64(s.times))
	return nil
}

// takeTurns has two scans take turns, in pairs, each of them first in every other
// one, so that what else the machine does meets both. After so many pairs, and as many
// again each time, up to most, it ends if these are enough.
func takeTurns(ctx context.Context, own, other *side, pairs, most int, enough func() bool) error {
	for n := range most {
		if n > 0 && n%pairs == 0 && enough() {
			break
		}
		pair := []*side{own, other}
		if n%2 == 1 {
			slices.Reverse(pair)
		}
		for _, s := range pair {
			if err := s.turn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachPair returns what f makes of the times of each pair of turns.
func eachPair(own, other *side, f func(own, other float64) float64) (list []float64) {
	for i, spent := range own.spent {
		list = append(list, f(spent, other.spent[i]))
	}
	return list
}

func ratios(own, other *side) []float64 {
	return eachPair(own, other, func(own, other float64) float64 { return own / other })
}

// median returns that of a list that is not empty.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// moreIfClose is how many times as many pairs are run as were asked for, at most, where these
// do not tell on which side of a limit a median is.
const moreIfClose = 10

// settled reports whether a list tells on which side of a limit its true median is.
func settled(list []float64, limit float64) bool {
	middle, off := known(list)
	return math.Abs(middle-limit) > off
}

// known returns the median of such a list, and how far the true one may be from
// it, by the ranks between which it is 19 times of 20.
func known(list []float64) (middle, off float64) {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	low := max(int(float64(n)/2-math.Sqrt(float64(n))), 0)
	return median(sorted), (sorted[n-1-low] - sorted[low]) / 2
}
