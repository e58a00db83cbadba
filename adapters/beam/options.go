package winnowio

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// Options say what is read of the files. The zero Options are all rows.
type Options struct {
	// Filter is the condition that rows must pass. It travels to the workers as its text,
	// so conditions of filter.Func and of keys are an error.
	Filter *filter.Expr

	// Select names columns, or parts of them, as scanner.Options.Select does. Nil stands for
	// what the fields of the elements' type need, and for all columns with ReadRows.
	Select []string

	// Want is the schema that rows have whatever the files do, in place of Select, as
	// scanner.Options.Want. By says how its columns are found in the files.
	Want []scanner.Want
	By   scanner.Match

	// Keys, if it is valid, are the keys of a join that follows: of a row whose values in
	// KeyColumns are not among them, next to nothing is read. About one of 200 other rows is
	// returned as well, which the join drops. For one column the elements are what
	// filter.Keys.Add takes, for several they are structs with a field for each.
	Keys       beam.PCollection
	KeyColumns []string

	// FileName, if not empty, names a column with the file's name.
	FileName string

	// SplitBytes is about how many bytes of the read columns a worker gets at a time: 64 MiB
	// if it is 0. Beam may split that again while it is read.
	SplitBytes int64
}

const defaultSplitBytes = 64 << 20

// query is Options as they travel, as JSON.
type query struct {
	Filter     string   `json:",omitempty"`
	Select     []string `json:",omitempty"`
	SelectNone bool     `json:",omitempty"` // Select is empty, not nil
	Want       []want   `json:",omitempty"`
	By         scanner.Match
	KeyColumns []string `json:",omitempty"`
	FileName   string   `json:",omitempty"`
	SplitBytes int64
}

// want is a scanner.Want that can travel: its own fields stand for those of the same names.
type want struct {
	scanner.Want
	Children []want `json:",omitempty"`
	Default  []byte `json:",omitempty"` // as PLAIN has it
	Set      bool   `json:",omitempty"` // Default is a value
}

// travel returns what workers need of o.
func (o *Options) travel() (query, error) {
	q := query{
		Select: o.Select, SelectNone: o.Select != nil && len(o.Select) == 0, By: o.By,
		KeyColumns: o.KeyColumns, FileName: o.FileName, SplitBytes: o.SplitBytes,
	}
	switch {
	case q.SplitBytes < 0:
		return q, errors.New("a negative SplitBytes")
	case q.SplitBytes == 0:
		q.SplitBytes = defaultSplitBytes
	}
	if o.Keys.IsValid() != (len(o.KeyColumns) > 0) {
		return q, errors.New("of Keys and KeyColumns, one is missing")
	}
	if o.Keys.IsValid() {
		if err := checkKeys(o.Keys.Type().Type(), o.KeyColumns); err != nil {
			return q, err
		}
	}
	if o.Filter != nil {
		q.Filter = o.Filter.String()
		if again, err := filter.Parse(q.Filter); err != nil || again.String() != q.Filter {
			return q, errors.New("the filter cannot travel as text: " + q.Filter)
		}
	}
	var err error
	q.Want, err = travelling(o.Want)
	return q, err
}

func travelling(wants []scanner.Want) (out []want, err error) {
	for _, w := range wants {
		x := want{Want: w}
		if !w.Default.IsNull() {
			if w.Default.Layout() != vector.Leaf {
				return nil, fmt.Errorf("the default of %q is no single value", w.Name)
			}
			x.Default, x.Set = w.Default.Plain(), true
		}
		if x.Children, err = travelling(w.Children); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func arrived(wants []want) (out []scanner.Want, err error) {
	for _, w := range wants {
		x := w.Want
		if w.Set {
			if x.Default, err = vector.PlainOf(w.Type, w.Default); err != nil {
				return nil, err
			}
		}
		if x.Children, err = arrived(w.Children); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// options returns what a scan needs of q; keys may be nil.
func (q *query) options(keys *filter.Keys) (o scanner.Options, err error) {
	o = scanner.Options{Select: q.Select, By: q.By, FileName: q.FileName}
	if q.SelectNone {
		o.Select = []string{}
	}
	if o.Want, err = arrived(q.Want); err != nil {
		return o, err
	}
	if q.Filter != "" {
		if o.Filter, err = filter.Parse(q.Filter); err != nil {
			return o, err
		}
	}
	if keys != nil {
		columns := make([]filter.Column, len(q.KeyColumns))
		for i, path := range q.KeyColumns {
			columns[i] = filter.Col(path)
		}
		among := filter.InKeys(keys, columns...)
		if o.Filter != nil {
			among = filter.And(o.Filter, among)
		}
		o.Filter = among
	}
	return o, nil
}

// checkType returns an error if t cannot be the elements' type.
func checkType(t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("elements are structs, not %v", t)
	}
	if t.Name() != "" && !registered(t) {
		return fmt.Errorf("workers do not know the type: beam.RegisterType(reflect.TypeFor[%v]()) belongs into an init function", t)
	}
	return nil
}
