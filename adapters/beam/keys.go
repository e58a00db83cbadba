package winnowio

import (
	"reflect"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/winnow-scan/winnow/filter"
)

// keySet is a set of keys that workers make, merge and send.
type keySet struct{ keys *filter.Keys }

func encodeKeys(s keySet) ([]byte, error) { return s.keys.MarshalBinary() }

func decodeKeys(b []byte) (keySet, error) {
	s := keySet{new(filter.Keys)}
	return s, s.keys.UnmarshalBinary(b)
}

// keysFn combines keys into a set.
type keysFn struct{}

// CreateAccumulator returns an empty set.
func (*keysFn) CreateAccumulator() keySet { return keySet{new(filter.Keys)} }

// AddInput adds a key: a value, or a struct with a value for each column.
func (*keysFn) AddInput(s keySet, key beam.T) keySet {
	v := reflect.ValueOf(key)
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[time.Time]() {
		s.keys.Add(key)
		return s
	}
	parts := make([]any, v.NumField())
	for i := range parts {
		parts[i] = v.Field(i).Interface()
	}
	s.keys.Add(parts...)
	return s
}

// MergeAccumulators adds the keys of b to a.
func (*keysFn) MergeAccumulators(a, b keySet) keySet {
	a.keys.Merge(b.keys)
	return a
}
