package winnowio

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/winnow-scan/winnow/adapters/beam/internal/restriction"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func encodeRestriction(r restriction.Restriction) ([]byte, error) { return json.Marshal(r) }

func decodeRestriction(b []byte) (r restriction.Restriction, err error) {
	return r, json.Unmarshal(b, &r)
}

// base is a splittable DoFn on names of files, without its ProcessElement.
type base struct {
	Query string // a query as JSON: Beam makes schemas of a DoFn's fields, and cannot of Want's
	Type  beam.EncodedType
}

func newBase(q query, t reflect.Type) (base, error) {
	text, err := json.Marshal(q)
	return base{string(text), beam.EncodedType{T: t}}, err
}

func (fn *base) query() (q query, err error) { return q, json.Unmarshal([]byte(fn.Query), &q) }

// CreateInitialRestriction returns the whole file, in its present state.
func (fn *base) CreateInitialRestriction(ctx context.Context, name string) (restriction.Restriction, error) {
	id, err := identify(ctx, name)
	return restriction.Whole(id), err
}

// SplitRestriction divides a file between row groups, into parts of about SplitBytes of the
// columns that are read. A file with fewer bytes is not opened.
func (fn *base) SplitRestriction(ctx context.Context, name string, whole restriction.Restriction) (parts []restriction.Restriction, err error) {
	q, err := fn.query()
	if err != nil {
		return nil, err
	}
	if _, splits := storeOf(name); !splits || whole.Bytes <= q.SplitBytes {
		return []restriction.Restriction{whole}, nil
	}
	err = fn.visit(ctx, name, nil, func(v *visit) error {
		if err := v.unchanged(whole); err != nil {
			return err
		}
		groups, err := restriction.Groups(v.file, v.reads())
		parts = whole.Split(groups, q.SplitBytes)
		return err
	})
	return parts, err // none if the filter excludes the file
}

// RestrictionSize returns about how many bytes a scan reads.
func (fn *base) RestrictionSize(_ string, r restriction.Restriction) float64 {
	return float64(r.Bytes)
}

// CreateTracker returns a tracker of r.
func (fn *base) CreateTracker(r restriction.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(restriction.NewTracker(r))
}

// readFn emits the rows of a restriction.
type readFn struct{ base }

// ProcessElement emits the rows that are not split off meanwhile.
func (fn *readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, name string, emit func(beam.X)) error {
	return fn.process(ctx, rt, name, nil, emit)
}

// readAmongFn emits the rows of a restriction that may be among keys.
type readAmongFn struct{ base }

// ProcessElement emits the rows that are not split off meanwhile. sets has one set, none if
// there are no keys.
func (fn *readAmongFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, name string, sets func(*keySet) bool, emit func(beam.X)) error {
	keys := new(filter.Keys)
	var set keySet
	for sets(&set) {
		keys.Merge(set.keys)
	}
	return fn.process(ctx, rt, name, keys, emit)
}

func (fn *base) process(ctx context.Context, rt *sdf.LockRTracker, name string, keys *filter.Keys, emit func(beam.X)) error {
	t := rt.Rt.(*restriction.Tracker)
	stats := new(scanner.Stats)
	err := fn.visit(ctx, name, keys, func(v *visit) error {
		v.options.Stats = stats
		return v.emitRows(rt, t, fn.Type.T, emit)
	})
	rt.Mu.Lock()
	if err == nil {
		t.Finish()
	}
	splits, left := t.Splits(), t.GetRestriction().(restriction.Restriction)
	rt.Mu.Unlock()
	if splits > 0 {
		log.Infof(ctx, "winnowio: %s was split while it was read; splits: %d, kept: %v to %v", name, splits, left.From, left.To)
	}
	count(ctx, stats, splits)
	return err
}

// emitRows emits the rows of the restriction of t, in the order of their positions.
func (v *visit) emitRows(rt *sdf.LockRTracker, t *restriction.Tracker, of reflect.Type, emit func(beam.X)) error {
	rest := rt.GetRestriction().(restriction.Restriction)
	if err := v.unchanged(rest); err != nil {
		return err
	}
	groups, err := v.plan(rest)
	if err != nil {
		return err
	}
	rt.Mu.Lock()
	rest = t.Bind(groups)
	rt.Mu.Unlock()
	for len(groups) > 0 {
		// A scan returns row groups in the order of their numbers.
		n := 1
		for n < len(groups) && groups[n].RowGroup > groups[n-1].RowGroup {
			n++
		}
		more, err := v.emitGroups(rt, t, groups[:n], rest, reflect.New(of).Elem(), emit)
		if err != nil || !more {
			return err
		}
		groups = groups[n:]
	}
	return nil
}

// emitGroups emits the rows of groups whose numbers ascend. more is false once the rest of
// the restriction was split off.
func (v *visit) emitGroups(rt *sdf.LockRTracker, t *restriction.Tracker, groups []restriction.Group, rest restriction.Restriction, row reflect.Value, emit func(beam.X)) (more bool, err error) {
	o := v.options
	o.Rows = rest.Rows(groups)
	for b, err := range v.file.Scan(v.ctx, o) {
		if err != nil {
			return false, err
		}
		at := slices.IndexFunc(groups, func(g restriction.Group) bool { return g.RowGroup == b.Origin.RowGroup })
		numbers := b.Columns[slices.IndexFunc(b.Fields, func(f vector.Field) bool { return f.Name == rowNumber })]
		numbers.Flatten()
		v.decoder.Use(b)
		first := int64(0) // row of the row group
		for _, before := range v.file.Footer().RowGroups[:b.Origin.RowGroup] {
			first += before.NumRows
		}
		for i := range b.Len {
			p := groups[at].At(numbers.Int64s[i] - first)
			rt.Mu.Lock()
			ok := t.Claim(p)
			rt.Mu.Unlock()
			if !ok {
				return false, nil
			}
			if err := v.decoder.Decode(row, i); err != nil {
				return false, err
			}
			emit(row.Interface())
		}
		b.Release()
	}
	return true, nil
}

// unchanged returns an error if the file is not the one that r was made of.
func (v *visit) unchanged(r restriction.Restriction) error {
	if r.File.Same(v.file.Identity().Identity) {
		return nil
	}
	return &scanner.Error{File: v.file.Name(), RowGroup: -1, Page: -1, Offset: -1, Err: fetch.ErrChanged}
}
