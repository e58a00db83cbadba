package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-scan/winnow/filter"
)

// A Condition is a workload's condition: in JSON a tree, or a text.
type Condition struct {
	Expr *filter.Expr
	tree json.RawMessage // of JSON; nil: there is none
}

// step is a node of the tree: And, Or, or a test of one column.
type step struct {
	And, Or []step
	Op      string
	Col     string
	Value   json.RawMessage
	Type    string // of Value: "date", "timestamp", "uuid", "hex", or "" for what it looks like
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
	where, err := root.text()
	if err == nil {
		c.Expr, err = filter.Parse(where)
	}
	c.tree = bytes.Clone(text)
	return err
}

// conditionOf returns the condition of a tree that the program itself made.
func conditionOf(tree map[string]any) *Condition {
	c := &Condition{}
	text, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		panic(err)
	}
	return c
}

// MarshalJSON returns the tree, or the text where there is none.
func (c *Condition) MarshalJSON() ([]byte, error) {
	if c.tree != nil {
		return c.tree, nil
	}
	return json.Marshal(c.Expr.String())
}

// text returns the condition as filter reads it.
func (s *step) text() (string, error) {
	switch {
	case s.And != nil && s.Or == nil && s.Op == "":
		return joined(s.And, " AND ")
	case s.Or != nil && s.And == nil && s.Op == "":
		return joined(s.Or, " OR ")
	case s.And != nil || s.Or != nil || s.Col == "":
		return "", errors.New(`condition: want one of "and", "or", and "op" with "col"`)
	}
	form := map[string]string{
		"eq": "%s = %s", "ne": "%s <> %s", "lt": "%s < %s", "le": "%s <= %s", "gt": "%s > %s", "ge": "%s >= %s", "in": "%s IN %s",
		"prefix": "prefix(%s, %s)", "contains": "contains(%s, %s)", "is_null": "%s IS NULL%.0s", "not_null": "%s IS NOT NULL%.0s",
	}[s.Op]
	value, err := s.literal(s.Value)
	if form == "" {
		err = errors.New("no such operation")
	}
	if err != nil {
		return "", fmt.Errorf("condition %s on %s: %w", s.Op, s.Col, err)
	}
	return fmt.Sprintf(form, s.Col, value), nil
}

func joined(steps []step, by string) (string, error) {
	var all []string
	for i := range steps {
		text, err := steps[i].text()
		if err != nil {
			return "", err
		}
		all = append(all, "("+text+")")
	}
	return strings.Join(all, by), nil
}

// literal returns a value as filter reads it. Numbers keep their digits.
func (s *step) literal(text json.RawMessage) (string, error) {
	switch {
	case len(text) == 0:
		return "", nil
	case text[0] == '[' && s.Op == "in":
		var items []json.RawMessage
		if err := json.Unmarshal(text, &items); err != nil {
			return "", err
		}
		var all []string
		for _, item := range items {
			value, err := s.literal(item)
			if err != nil {
				return "", err
			}
			all = append(all, value)
		}
		return "(" + strings.Join(all, ", ") + ")", nil
	case text[0] == '[' || text[0] == '{':
		return "", fmt.Errorf("%s is no literal", text)
	case text[0] != '"':
		return strings.ToUpper(string(text)), nil
	}
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return "", err
	}
	quoted := "'" + strings.ReplaceAll(value, "'", "''") + "'"
	switch s.Type {
	case "", "uuid":
		return quoted, nil
	case "date", "timestamp":
		return strings.ToUpper(s.Type) + " " + quoted, nil
	case "hex":
		return "X" + quoted, nil
	}
	return "", fmt.Errorf("no type %q of values", s.Type)
}
