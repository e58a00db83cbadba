package scanner_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// object is a JSON object with its fields in order; names may come twice.
type object []member

type member struct {
	name  string
	value any
}

// parseJSON returns nil, bool, json.Number, string, []any or object.
func parseJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parseValue(d)
	if err == nil && d.More() {
		err = fmt.Errorf("something behind the value")
	}
	return v, err
}

func parseValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			item, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		o := object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			o = append(o, member{name.(string), value})
		}
		_, err = d.Token()
		return o, err
	}
	return t, nil
}

// difference says where got is not what is wanted, "" if it is nowhere.
// {"$any":true} is wanted where everything will do.
func difference(want, got any, path string) string {
	switch w := want.(type) {
	case object:
		if len(w) == 1 && w[0].name == "$any" {
			return ""
		}
		g, ok := got.(object)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if w[i].name != g[i].name {
				return fmt.Sprintf("%s: field %q, want %q", path, g[i].name, w[i].name)
			}
			if d := difference(w[i].value, g[i].value, path+"."+w[i].name); d != "" {
				return d
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			break
		}
		for i := range w {
			if d := difference(w[i], g[i], fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(string(w), string(g)) {
			return ""
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s: %.200v, want %.200v", path, got, want)
}

// sameNumber compares values, whatever their spelling, but -0 is not 0.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0 && strings.HasPrefix(a, "-") == strings.HasPrefix(b, "-")
}

// compareLines says where two lines of JSON differ.
func compareLines(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	w, err := parseJSON(want)
	if err != nil {
		return "wanted line is no JSON: " + err.Error()
	}
	g, err := parseJSON(got)
	if err != nil {
		return "no JSON: " + err.Error()
	}
	return difference(w, g, "")
}

func TestCompareLines(t *testing.T) {
	for _, c := range []struct{ want, got, difference string }{
		{`{"a":1,"b":[null,"x"]}`, `{ "a" : 1.0, "b":[null,"\u0078"]}`, ""},
		{`{"a":1e3}`, `{"a":1000}`, ""},
		{`{"a":{"$any":true}}`, `{"a":[1]}`, ""},
		{`{"a":-0.0}`, `{"a":-0}`, ""},
		{`{"a":-0.0}`, `{"a":0}`, ".a: 0, want -0.0"},
		{`{"a":1,"a":2}`, `{"a":1,"a":3}`, ".a: 3, want 2"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, `: field "b", want "a"`},
		{`{"a":[1]}`, `{"a":[1,1]}`, ".a: [1 1], want [1]"},
		{`{"a":["1"]}`, `{"a":[1]}`, ".a[0]: 1, want 1"},
		{`{"a":null}`, `{"a":false}`, ".a: false, want <nil>"},
		{`{}`, `{`, "no JSON: EOF"},
	} {
		if d := compareLines([]byte(c.want), []byte(c.got)); d != c.difference {
			t.Errorf("%s and %s: %q", c.want, c.got, d)
		}
	}
}
