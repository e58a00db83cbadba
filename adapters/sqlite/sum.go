package sqlitescan

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

// sumFunction adds up decimals without rounding, as the function of this name in SQLite's own extension does.
const sumFunction = "decimal_sum"

// decimalSum is the sum of the rows of a group, or of a window: n / 10^scale.
type decimalSum struct {
	n     big.Int
	scale int
	rows  int64 // that are not NULL
}

func newDecimalSum(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
	return &decimalSum{}, nil
}

func (s *decimalSum) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	return s.add(args[0], 1)
}

func (s *decimalSum) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	return s.add(args[0], -1)
}

// maxSumDigits bounds the digits of a number: of more, adding up rows would take long.
const maxSumDigits = 1000

// add adds a number, sign times.
func (s *decimalSum) add(v driver.Value, sign int64) error {
	text := ""
	switch v := v.(type) {
	case nil:
		return nil
	case int64:
		text = strconv.FormatInt(v, 10)
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		text = v
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-") + fraction
	if digits == "" || len(digits) > maxSumDigits || !allDigits(digits) {
		return fmt.Errorf("%s: %s is no decimal", sumFunction, quoteCut(text))
	}
	n, _ := new(big.Int).SetString(whole+fraction, 10)
	if missing := s.scale - len(fraction); missing >= 0 {
		n.Mul(n, powerOfTen(missing))
	} else {
		s.n.Mul(&s.n, powerOfTen(-missing))
		s.scale = len(fraction)
	}
	s.n.Add(&s.n, n.Mul(n, big.NewInt(sign)))
	s.rows += sign
	return nil
}

func powerOfTen(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// WindowValue returns the sum as a text, NULL where there was no number.
func (s *decimalSum) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if s.rows == 0 {
		return nil, nil
	}
	return new(big.Rat).SetFrac(&s.n, powerOfTen(s.scale)).FloatString(s.scale), nil
}

func (s *decimalSum) Final(*sqlite.FunctionContext) {}
