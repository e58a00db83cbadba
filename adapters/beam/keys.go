package winnowio

import (
	"fmt"
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

// hasParts reports whether keys of a type are structs with a value for each column.
func hasParts(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]()
}

// checkKeys returns an error if keys of a type cannot be those of some columns.
func checkKeys(t reflect.Type, columns []string) error {
	values := 1
	if hasParts(t) {
		values = t.NumField()
		for f := range t.Fields() {
			if !f.IsExported() {
				return fmt.Errorf("the keys are %v, whose field %s is not exported", t, f.Name)
			}
		}
	}
	if values != len(columns) {
		return fmt.Errorf("the keys are %v: KeyColumns must be %d, not %d", t, values, len(columns))
	}
	return nil
}

// keysFn combines keys into a set.
type keysFn struct{}

// CreateAccumulator returns an empty set.
func (*keysFn) CreateAccumulator() keySet { return keySet{new(filter.Keys)} }

// AddInput adds a key: a value, or a struct with a value for each column.
func (*keysFn) AddInput(s keySet, key beam.T) keySet {
	v := reflect.ValueOf(key)
	if !hasParts(v.Type()) {
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
