package icebergscan

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/apache/iceberg-go"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// keySet is the keys of an equality delete file. Keys are compared as the table's types, and
// NULL equals NULL.
type keySet struct {
	ids    []int // of the columns, ascending
	types  []vector.Type
	keys   map[string]bool
	values []vector.Scalar // of one column, without NULL, if they are few
}

// maxValues is how many keys of one column become a NOT IN, which statistics can prove.
const maxValues = 1000

// condition returns the condition that a row of b's file has none of the keys of files.
func (d *deletes) condition(ctx context.Context, b *binding, files []iceberg.DataFile) (*filter.Expr, error) {
	all := []*filter.Expr{}
	sets := map[string][]*keySet{} // by columns
	var order []string
	for _, f := range files {
		set, err := d.keys.get(f.FilePath(), func() (*keySet, error) { return d.reader.readKeys(ctx, f) })
		if err != nil {
			return nil, fmt.Errorf("equality deletes: %w", err)
		}
		if len(set.keys) == 0 {
			continue
		}
		columns := fmt.Sprint(set.ids)
		if sets[columns] == nil {
			order = append(order, columns)
		}
		sets[columns] = append(sets[columns], set)
	}
	for _, columns := range order {
		e, err := b.noneOf(sets[columns])
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return filter.And(all...), nil
}

// noneOf returns the condition that a row has none of the keys of sets, which have the same columns.
func (b *binding) noneOf(sets []*keySet) (*filter.Expr, error) {
	first := sets[0]
	columns := make([]filter.Column, len(first.ids))
	for i, id := range first.ids {
		path, err := b.filterPath(id)
		if err != nil {
			return nil, err
		}
		columns[i] = filter.Col(path)
	}
	var values []vector.Scalar
	null, listed := false, true
	for _, s := range sets {
		values = append(values, s.values...)
		null = null || s.keys[nullKey]
		listed = listed && s.values != nil
	}
	if listed && len(values) <= maxValues {
		e := filter.Not(filter.In(columns[0], values))
		if !null {
			e = filter.Or(columns[0].IsNull(), e)
		}
		return e, nil
	}
	return filter.Func("no equality delete", func(vectors []*vector.Vector, sel []uint64) error {
		return clearKeys(sets, vectors, sel)
	}, columns...), nil
}

// clearKeys clears the bits of rows that have one of the keys.
func clearKeys(sets []*keySet, vectors []*vector.Vector, sel []uint64) error {
	var key []byte
	for i := range vectors[0].Len {
		word, bit := &sel[i>>6], uint64(1)<<(i&63)
		if *word&bit == 0 {
			continue
		}
		key = key[:0]
		for k, v := range vectors {
			var err error
			if key, err = appendKey(key, v, i, sets[0].types[k]); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(sets, func(s *keySet) bool { return s.keys[string(key)] }) {
			*word &^= bit
		}
	}
	return nil
}

// readKeys reads an equality delete file.
func (r *Reader) readKeys(ctx context.Context, file iceberg.DataFile) (*keySet, error) {
	set := &keySet{ids: slices.Sorted(slices.Values(file.EqualityFieldIDs())), keys: map[string]bool{}}
	if len(set.ids) == 0 {
		return nil, fmt.Errorf("%s: names no columns: %w", file.FilePath(), scanner.ErrCorrupt)
	}
	f, err := r.open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := r.bindFile(f, nil)
	if err != nil {
		return nil, err
	}
	o := scanner.Options{By: scanner.ByName}
	var repairs []*repair
	for _, id := range set.ids {
		field, ok := r.fieldByID(id)
		if !ok || b.nodes[id] == nil {
			return nil, fmt.Errorf("%s: lacks its key column, field %d: %w", file.FilePath(), id, scanner.ErrCorrupt)
		}
		c, err := columnOf(field, field.Name)
		if err != nil {
			return nil, err
		}
		w, rep, err := b.want(&c, b.nodes[id].Parent.Children)
		if err != nil {
			return nil, err
		}
		if c.layout != vector.Leaf || b.nodes[id].Parent != f.Schema().Root() {
			return nil, fmt.Errorf("%s: equality deletes by %s, which is nested: %w", file.FilePath(), c.name, ErrUnsupported)
		}
		set.types = append(set.types, c.typ)
		o.Want, repairs = append(o.Want, w), append(repairs, rep)
	}
	listed := len(set.ids) == 1 && set.types[0].Physical != vector.Float && set.types[0].Physical != vector.Double
	for batch, err := range f.Scan(ctx, o) {
		if err != nil {
			return nil, err
		}
		columns := make([]*vector.Vector, len(batch.Columns))
		for i, v := range batch.Columns {
			if columns[i], err = repairs[i].apply(v); err != nil {
				return nil, err
			}
		}
		listed = listed && len(set.keys)+batch.Len <= maxValues
		if err := set.add(columns, listed); err != nil {
			return nil, err
		}
		batch.Release()
	}
	if !listed {
		set.values = nil
	} else if set.values == nil {
		set.values = []vector.Scalar{}
	}
	return set, nil
}

// add adds rows.
func (s *keySet) add(columns []*vector.Vector, listed bool) error {
	var key []byte
	for i := range columns[0].Len {
		key = key[:0]
		for k, v := range columns {
			var err error
			if key, err = appendKey(key, v, i, s.types[k]); err != nil {
				return err
			}
		}
		if listed && !columns[0].IsNull(i) && !s.keys[string(key)] {
			s.values = append(s.values, columns[0].Scalar(i))
		}
		s.keys[string(key)] = true
	}
	return nil
}

// nullKey is the key of one column that is NULL.
const nullKey = "\x00"

// appendKey appends the value of slot i as it is in a key of type to, so that equal values of
// the types that Iceberg promotes have equal bytes. No value's bytes begin another's.
func appendKey(dst []byte, v *vector.Vector, i int, to vector.Type) ([]byte, error) {
	if v.IsNull(i) {
		return append(dst, nullKey...), nil
	}
	dst = append(dst, 1)
	switch v.Form {
	case vector.Dictionary:
		v, i = v.Dict, int(v.Codes[i])
	case vector.Constant:
		i = 0
	}
	number := func(x int64) ([]byte, error) { return binary.LittleEndian.AppendUint64(dst, uint64(x)), nil }
	switch v.Type.Store() {
	case vector.InBools:
		return append(dst, byte(v.Bools[i>>6]>>(i&63)&1)), nil
	case vector.InFloats:
		return number(floatBits(float64(v.Floats[i])))
	case vector.InDoubles:
		return number(floatBits(v.Doubles[i]))
	case vector.InInt32s, vector.InInt64s:
		x := int64(0)
		if v.Type.Store() == vector.InInt32s {
			x = int64(v.Int32s[i])
		} else {
			x = v.Int64s[i]
		}
		if to.Logical != vector.Decimal {
			return number(unitsOf(x, v.Type, to))
		}
		var big [8]byte
		binary.BigEndian.PutUint64(big[:], uint64(x))
		return appendText(dst, significant(big[:])), nil
	}
	if v.Type.IsLongMoment() {
		return nil, fmt.Errorf("equality deletes by a column of type %s: %w", v.Type, ErrUnsupported)
	}
	b := v.Bytes(i)
	if to.Logical == vector.Decimal {
		b = significant(b)
	}
	return appendText(dst, b), nil
}

func appendText(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// floatBits returns the bits of f, the same for every NaN.
func floatBits(f float64) int64 {
	if f != f {
		f = math.NaN()
	}
	return int64(math.Float64bits(f))
}

// unitsOf returns a date, a time or a timestamp in the unit of another type.
func unitsOf(x int64, have, to vector.Type) int64 {
	switch {
	case to.Logical == vector.Timestamp && have.Logical == vector.Date:
		return x * 24 * 60 * 60 * to.Unit.PerSecond()
	case (to.Logical == vector.Timestamp || to.Logical == vector.Time) && have.Unit != to.Unit && to.Unit.PerSecond() > have.Unit.PerSecond():
		return x * (to.Unit.PerSecond() / have.Unit.PerSecond())
	}
	return x
}

// significant returns a big-endian signed number without the bytes that only repeat its sign.
func significant(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}
