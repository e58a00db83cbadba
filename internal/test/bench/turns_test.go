package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Turns end when there are enough. Another row is the first in each round, and one that fails has no more.
// Where one is of another process, each turn begins with as many attempts that are not timed, unless it is cold.
func TestTurns(t *testing.T) {
	var order []string
	rowOf := func(name string, wall float64, faults ...error) *row {
		return &row{Engine: name, again: func(context.Context) (float64, float64, error) {
			order = append(order, name)
			if len(faults) > 0 {
				fault := faults[0]
				faults = faults[1:]
				return 1, wall, fault
			}
			return 1, wall, nil
		}}
	}
	cold := func(r *row) *row { r.cold = true; return r }
	peer := func(r *row) *row { r.peer = true; return r }
	for _, c := range []struct {
		turns
		rows  []*row
		order string
		walls []float64 // of the first row
		fault string    // of the last
	}{
		{turns{3, 1e9, 0}, []*row{rowOf("a", 4), rowOf("b", 4), rowOf("c", 4)}, "abcbcacab", []float64{4, 4, 4}, ""},
		{turns{2, 1e9, 7}, []*row{rowOf("a", 4), rowOf("b", 8)}, "aabbaa", []float64{4, 4}, ""},   // short ones are repeated
		{turns{1, 1e9, 7}, []*row{rowOf("a", 0)}, "aaaaaaaaaa", []float64{0}, ""},                 // but not for ever
		{turns{9, 10, 0}, []*row{rowOf("a", 4), rowOf("b", 1)}, "abbaab", []float64{4, 4, 4}, ""}, // until the budget is spent
		{turns{3, 1e9, 0}, []*row{rowOf("a", 4), rowOf("b", 4, nil, errors.New("wrong"))}, "abbaa", []float64{4, 4, 4}, "wrong"},
		{turns{3, 1e9, 0}, []*row{rowOf("a", 4), rowOf("b", 4), peer(rowOf("c", 4))}, "aabbccbbccaaccaabb", []float64{4, 4, 4}, ""},
		{turns{2, 1e9, 7}, []*row{rowOf("a", 4), peer(rowOf("b", 8))}, "aaaabbbbaaaa", []float64{4, 4}, ""},
		{turns{3, 1e9, 0}, []*row{rowOf("a", 4), peer(rowOf("b", 4, nil, errors.New("wrong")))}, "aabbaaaa", []float64{4, 4, 4}, "wrong"},
		{turns{2, 1e9, 0}, []*row{cold(rowOf("a", 4)), peer(cold(rowOf("b", 4)))}, "abba", []float64{4, 4}, ""},
	} {
		order = nil
		c.take(t.Context(), c.rows)
		if got := strings.Join(order, ""); got != c.order || !slices.Equal(c.rows[0].Wall, c.walls) || len(c.rows[0].CPU) != len(c.walls) {
			t.Errorf("%+v: turns %s, want %s, of %v", c.turns, got, c.order, c.rows[0].Wall)
		}
		if last := c.rows[len(c.rows)-1]; last.Error != c.fault {
			t.Errorf("%s: error %q, want %q", last.Engine, last.Error, c.fault)
		}
	}
}

// What is found wrong is an error, of which nothing is timed.
func TestTimed(t *testing.T) {
	fault := errors.New("wrong")
	for _, run := range []func(context.Context) (func() error, error){
		func(context.Context) (func() error, error) { return nil, fault },
		func(context.Context) (func() error, error) { return func() error { return fault }, nil },
	} {
		if _, _, err := timed(run)(t.Context()); err != fault {
			t.Errorf("error %v", err)
		}
	}
}
