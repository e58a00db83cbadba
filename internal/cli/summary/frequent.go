package summary

import (
	"cmp"
	"slices"
)

// frequent counts the values that come often. It counts all of them while they
// are few. When they are more, those that came least often so far are forgotten;
// where most come once, it gives up.
type frequent[K comparable] struct {
	counts   map[K]int64
	total    int64 // of all values
	partial  bool  // values were forgotten
	hopeless bool  // it gave up
}

const maxCounted = 8 << 10

func (f *frequent[K]) prune() {
	all := make([]int64, 0, len(f.counts))
	again := int64(0) // of values that came more than once
	for _, n := range f.counts {
		if all = append(all, n); n > 1 {
			again += n
		}
	}
	if again < f.total/16 {
		f.hopeless, f.counts = true, nil
		return
	}
	f.partial = true
	slices.Sort(all)
	median := all[len(all)/2]
	for key, n := range f.counts {
		if n <= median {
			delete(f.counts, key)
		}
	}
}

func (f *frequent[K]) merge(o *frequent[K]) {
	f.total += o.total
	f.partial = f.partial || o.partial
	if f.hopeless = f.hopeless || o.hopeless; f.hopeless {
		f.counts = nil
		return
	}
	for key, n := range o.counts {
		if f.counts == nil {
			f.counts = map[K]int64{}
		}
		f.counts[key] += n
	}
	if len(f.counts) > maxCounted {
		f.prune()
	}
}

// isExact reports whether every value has been counted.
func (f *frequent[K]) isExact() bool { return !f.partial && !f.hopeless }

// counted is a value and how often it came, at least.
type counted[K any] struct {
	key   K
	count int64
}

// top returns the n most frequent values, in the order of less where they come
// equally often.
func (f *frequent[K]) top(n int, less func(a, b K) int) []counted[K] {
	all := make([]counted[K], 0, len(f.counts))
	for key, count := range f.counts {
		all = append(all, counted[K]{key, count})
	}
	slices.SortFunc(all, func(a, b counted[K]) int {
		return cmp.Or(cmp.Compare(b.count, a.count), less(a.key, b.key))
	})
	return all[:min(n, len(all))]
}
