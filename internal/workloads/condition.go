package workloads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/filter"
)

// Condition is a workload's condition: in JSON a tree, or a text.
type Condition struct {
	Expr  *filter.Expr
	Parts []*filter.Expr // of an And in JSON
}

// step is a node of the tree: And, Or, or a test of one column.
type step struct {
	And, Or []step
	Op      string
	Col     string
	Value   json.RawMessage
	Type    string // of Value: "date", or "" for what it looks like
}

func (c *Condition) UnmarshalJSON(text []byte) (err error) {
	if text[0] == '"' {
		var where string
		if err := json.Unmarshal(text, &where); err != nil {
			return err
		}
		c.Expr, err = filter.Parse(where)
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var root step
	if err := decoder.Decode(&root); err != nil {
		return err
	}
	if c.Expr, err = root.expr(); err == nil {
		c.Parts, err = exprs(root.And)
	}
	return err
}

func (s *step) expr() (*filter.Expr, error) {
	switch {
	case s.And != nil && s.Or == nil && s.Op == "":
		args, err := exprs(s.And)
		return filter.And(args...), err
	case s.Or != nil && s.And == nil && s.Op == "":
		args, err := exprs(s.Or)
		return filter.Or(args...), err
	case s.And != nil || s.Or != nil || s.Col == "":
		return nil, errors.New(`condition: want one of "and", "or", and "op" with "col"`)
	}
	e, err := s.test()
	if err != nil {
		return nil, fmt.Errorf("condition %s on %s: %w", s.Op, s.Col, err)
	}
	return e, nil
}

func exprs(steps []step) ([]*filter.Expr, error) {
	var all []*filter.Expr
	for i := range steps {
		e, err := steps[i].expr()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (s *step) test() (*filter.Expr, error) {
	col := filter.Col(s.Col)
	switch s.Op {
	case "is_null":
		return col.IsNull(), nil
	case "not_null":
		return col.IsNotNull(), nil
	case "in":
		var items []json.RawMessage
		if err := json.Unmarshal(s.Value, &items); err != nil {
			return nil, err
		}
		var values []any
		for _, item := range items {
			v, err := s.literal(item)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		return col.In(values...), nil
	}
	v, err := s.literal(s.Value)
	if err != nil {
		return nil, err
	}
	switch s.Op {
	case "eq":
		return col.Eq(v), nil
	case "ne":
		return col.Ne(v), nil
	case "lt":
		return col.Lt(v), nil
	case "le":
		return col.Le(v), nil
	case "gt":
		return col.Gt(v), nil
	case "ge":
		return col.Ge(v), nil
	}
	text, ok := v.(string)
	switch {
	case s.Op != "prefix" && s.Op != "contains":
		return nil, errors.New("no such operation")
	case !ok:
		return nil, fmt.Errorf("%s is no string", s.Value)
	case s.Op == "prefix":
		return col.Prefix(text), nil
	}
	return col.Contains(text), nil
}

// literal returns a value that filter takes. Numbers keep their digits.
func (s *step) literal(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, errors.New("no value")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return i, nil
		}
		return filter.Decimal(v.String()), nil
	case string:
		switch s.Type {
		case "":
			return v, nil
		case "date":
			day, err := time.Parse(time.DateOnly, v)
			return filter.Date(day.Year(), day.Month(), day.Day()), err
		}
		return nil, fmt.Errorf("no type %q of values", s.Type)
	case bool, nil:
		return v, nil
	}
	return nil, fmt.Errorf("%s is no literal", text)
}
