package project

import (
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// A constant of the host hides a column of the file that has its name.

// Constants returns the values that a filter uses for columns that it does not read: the
// host's constants, and the defaults of wanted columns that a file of schema s lacks.
func Constants(s *schema.Schema, names compile.Names, wants []Want, by Match, host filter.Constants) filter.Constants {
	if len(host)+len(wants) == 0 {
		return nil
	}
	constants := filter.Constants{}
	maps.Copy(constants, host)
	if by == ByName {
		Missing(s, wants, constants)
	} else {
		missingNamed(s, names, wants, constants)
	}
	return constants
}

// constantOf returns the constant with the name of a column.
func constantOf(constants filter.Constants, name string) (v vector.Scalar, ok bool) {
	if len(constants) > 0 {
		v, ok = constants[schema.FormatPath([]string{name})]
	}
	return v, ok
}

// Constant returns the constant leaf that a path names.
func Constant(constants filter.Constants, path string) (v vector.Scalar, ok bool) {
	names, err := schema.ParsePath(path)
	v, ok = constants[schema.FormatPath(names)]
	return v, ok && err == nil && v.Layout() == vector.Leaf
}

// projectConstant projects the constant v as a column.
func projectConstant(name string, v vector.Scalar) (assemble.Projected, error) {
	return (&Want{Name: name, Layout: v.Layout(), Type: v.Type()}).constant(v)
}

// selectConstant projects the constant that a path names; nil if it names none.
func selectConstant(constants filter.Constants, path string) (*assemble.Projected, error) {
	if len(constants) == 0 {
		return nil, nil
	}
	names, err := schema.ParsePath(path)
	if err != nil {
		return nil, err
	}
	v, ok := constantOf(constants, names[0])
	switch {
	case !ok:
		return nil, nil
	case len(names) > 1:
		return nil, NotConstant(constants, path)
	}
	projected, err := projectConstant(names[0], v)
	return &projected, err
}

// constant projects the constant v as w.
func (w *Want) constant(v vector.Scalar) (assemble.Projected, error) {
	as := *w
	as.Default = vector.Scalar{}
	if v.IsNull() {
		return as.missing()
	}
	convert, ok := ConversionOf(v.Type(), w.Type)
	if w.Layout != vector.Leaf || v.Layout() != vector.Leaf || !ok {
		return assemble.Projected{}, &Mismatch{Path: []string{w.Name}, What: "the constant is " + Described(v.Layout(), v.Type()) + ", " + w.Describe() + " is wanted"}
	}
	value, err := convert.Scalar(v)
	if err != nil {
		return assemble.Projected{}, Within(w.Name, err)
	}
	as.Default = value.Scalar(0)
	return as.missing()
}

// notConstant returns the wants that a file may have: those that are no constants.
func notConstant(wants []Want, constants filter.Constants) []Want {
	if len(constants) == 0 {
		return wants
	}
	return slices.DeleteFunc(slices.Clone(wants), func(w Want) bool {
		_, ok := constantOf(constants, w.Name)
		return ok
	})
}

// NotConstant returns an error if a path names a constant, or a part of one.
func NotConstant(constants filter.Constants, path string) error {
	names, err := schema.ParsePath(path)
	if err != nil {
		return err
	}
	if _, ok := constantOf(constants, names[0]); ok {
		return NoColumn("no column " + schema.FormatPath(names) + " in the file: it is a constant, the same in all rows")
	}
	return nil
}
