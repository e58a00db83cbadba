package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCondition(t *testing.T) {
	for tree, want := range map[string]string{
		`{"op":"eq","col":"a","value":5}`:                          `a = 5`,
		`{"op":"ne","col":"a","value":-1.50}`:                      `a <> -1.5`,
		`{"op":"lt","col":"a","value":"x'y"}`:                      `a < 'x''y'`,
		`{"op":"le","col":"a","value":"2024-01-31","type":"date"}`: `a <= DATE '2024-01-31'`,
		`{"op":"gt","col":"a","value":true}`:                       `a > TRUE`,
		`{"op":"ge","col":"a","value":12345678901234567890}`:       `a >= 12345678901234567890`,
		`{"op":"in","col":"a.b","value":[1,2]}`:                    `a.b IN (1, 2)`,
		`{"op":"is_null","col":"a"}`:                               `a IS NULL`,
		`{"op":"not_null","col":"a"}`:                              `a IS NOT NULL`,
		`{"op":"prefix","col":"a","value":"x"}`:                    `prefix(a, 'x')`,
		`{"op":"contains","col":"a","value":"x"}`:                  `contains(a, 'x')`,
		`{"or":[{"and":[{"op":"is_null","col":"a"},{"op":"is_null","col":"b"}]},{"op":"is_null","col":"c"}]}`: `a IS NULL AND b IS NULL OR c IS NULL`,
		`{"and":[{"or":[{"op":"is_null","col":"a"},{"op":"is_null","col":"b"}]},{"op":"is_null","col":"c"}]}`: `(a IS NULL OR b IS NULL) AND c IS NULL`,
		`"price >= 2 and name = 'x'"`: `price >= 2 AND name = 'x'`,
	} {
		var c Condition
		if err := json.Unmarshal([]byte(tree), &c); err != nil {
			t.Errorf("%s: %v", tree, err)
		} else if got := c.Expr.String(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tree, got, want)
		}
	}
}

func TestConditionFaults(t *testing.T) {
	for tree, want := range map[string]string{
		`{}`:                                  "want one of",
		`{"and":[{"op":"is_null"}]}`:          "want one of",
		`{"and":[],"or":[]}`:                  "want one of",
		`{"op":"like","col":"a","value":"x"}`: "no such operation",
		`{"op":"eq","col":"a"}`:               "a column or a value is expected",
		`{"op":"eq","col":"a","value":[1]}`:   "no literal",
		`{"op":"in","col":"a","value":1}`:     "( is expected",
		`{"op":"prefix","col":"a","value":1}`: "a string is expected",
		`{"op":"eq","col":"a","value":"2024-13-01","type":"date"}`: "not a value of DATE",
		`{"op":"eq","col":"a","value":"x","type":"time"}`:          `no type "time"`,
		`{"op":"eq","column":"a","value":1}`:                       "unknown field",
		`"price >="`:                                               "filter, byte 9",
	} {
		var c Condition
		if err := json.Unmarshal([]byte(tree), &c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", tree, err, want)
		}
	}
}
