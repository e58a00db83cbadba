package compile

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// programOf is a condition on a column x of a kind, and the program that it becomes.
type programOf struct{ kind, where, program string }

func checkPrograms(t *testing.T, all []programOf) {
	t.Helper()
	for _, c := range all {
		p, err := bindText(c.where, oneColumn(t, kind(c.kind)))
		if err != nil {
			t.Errorf("%s, %s: %v", c.kind, c.where, err)
			continue
		}
		if got := p.String(); got != c.program {
			t.Errorf("%s, %s:\n%s, want\n%s", c.kind, c.where, got, c.program)
		}
	}
}

// TestCasts: a cast to a type that has no room for a value is NULL.
func TestCasts(t *testing.T) {
	checkPrograms(t, []programOf{
		{"i64", "x::INT > 5", "x in [6, 2147483648)"},
		{"i64", "NOT TRY_CAST(x AS INT) > 5", "x in [-2147483648, 6)"},
		{"i64", "x::INT <> 5", "x in [-2147483648, 5), [6, 2147483648)"},
		{"i64", "x::INT NOT IN (5, 6)", "x in [-2147483648, 5), [7, 2147483648)"},
		{"i64", "x::TINYINT IS NULL", "x not in [-128, 128) OR x IS NULL"},
		{"i64", "x::TINYINT IS NOT NULL", "x in [-128, 128)"},
		{"i64", "(x::TINYINT > 5) IS NOT FALSE", "x not in [-128, 6) OR x IS NULL"},
		{"i64", "x::SMALLINT::TINYINT::DOUBLE < 0", "x in [-128, 0)"},
		{"u64", "x::UINTEGER >= 7", "x in [7, 4294967296)"},
		{"u64", "x::HUGEINT >= 7", "x >= 7"},
		{"i32", "x::DECIMAL(5, 2) = 1.5", "FALSE"},
		{"i32", "x::DECIMAL(5, 2) < 1.5", "x in [-999, 2)"},
		{"i32", "x::DECIMAL(3, 3) >= 0", "x = 0"},
		{"i32", "x::DECIMAL / 2 > 5", "x >= 11"},
		{"d32", "x::DECIMAL(9, 1) = 0.1", "x in [0.05, 0.15)"},
		{"d32", "x::DECIMAL(9, 1) = -0.1", "x in [-0.14, -0.04)"},
		{"d32", "x::INT = 1", "x in [0.50, 1.50)"},
		{"f64", "x::DECIMAL(3, 2) > 9.98", "x in [9.985, 9.995]"},
		{"f64", "x::DECIMAL(3, 2) IS NULL", "x not in [-9.995, 9.995] or NaN OR x IS NULL"},
		{"f64", "NOT x::DECIMAL(3, 2) <= 9.98", "x in [9.985, 9.995]"},
		{"f64", "x::INT = 2", "x in [1.5, 2.5]"}, // halves to even, as DuckDB rounds DOUBLEs
		{"f64", "x::INT = 3", "x in (2.5, 3.5)"},
		{"f32", "x::DECIMAL(3, 1) = 0.1", "x in [0.05, 0.15)"},
		{"bool", "x::INT = 1", `x = "true"`},
		{"bool", "x::DOUBLE < 0.5", `x = "false"`},
		{"i32", "x = 2.5::INT", "x = 3"},
		{"i32", "x = DOUBLE '2.5'::INT", "x = 2"},
		{"i32", "x = TRY_CAST('a' AS INT) OR x = ' 4.5 '::INT", "x = 5"},
		{"i32", "x > TRY_CAST(1000 AS DECIMAL(3, 0)) IS NULL", "TRUE"},
		{"str", "x::INT = 5", "CAST(x AS INTEGER) = 5"},
		{"str", "x::INT IS NULL", "CAST(x AS INTEGER) in {} OR CAST(x AS INTEGER) IS NULL OR x IS NULL"},
		{"str", "x::DATE + 1 > '2024-01-31' AND trim(x)::DOUBLE IS NOT NULL", "CAST(x AS DATE) >= 2024-01-31 AND CAST(trim(x) AS DOUBLE) IS NOT NULL"},
	})
}

// exactDigits are the bits of the types that castExact has, 0 of DECIMALs.
var exactDigits = map[value.TypeName]uint{value.ToDecimal: 0, value.ToTinyint: 8, value.ToSmallint: 16, value.ToInteger: 32, value.ToBigint: 64, value.ToHugeint: 128}

// castExact is the naive twin of a cast to a DECIMAL or an integer of so many bits.
func castExact(v any, bits uint, to value.Target) any {
	power := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	unit, x := new(big.Rat).SetInt(power(to.Scale)), new(big.Rat)
	float := func(f float64) any {
		if f *= math.Pow(10, float64(to.Scale)); bits > 0 {
			f = math.RoundToEven(f)
		}
		if f-f != 0 {
			return nil
		}
		return castExact(naive.Decimal{Exact: x.Quo(x.SetFloat64(f), unit)}, bits, to)
	}
	switch v := v.(type) {
	case nil:
		return nil
	case float64:
		return float(v)
	case naive.Single:
		return float(float64(v))
	case naive.Half:
		return float(float64(v))
	case string:
		if _, ok := x.SetString(strings.TrimSpace(v)); !ok || strings.Trim(v, " 0123456789.eE+-") != "" {
			return nil
		}
	case int64:
		x.SetInt64(v)
	case naive.Decimal:
		x.Set(v.Exact)
	default:
		x.Set(v.(*big.Rat))
	}
	z, _ := new(big.Int).SetString(x.Mul(x, unit).FloatString(0), 10) // which rounds halves away from 0
	most := power(to.Precision)
	least := new(big.Int).Neg(most)
	if bits > 0 {
		most.Lsh(big.NewInt(1), bits-1)
		least.Sub(least.Neg(most), big.NewInt(1))
	}
	switch {
	case z.Cmp(least) <= 0 || z.Cmp(most) >= 0:
		return nil
	case bits > 0:
		return new(big.Rat).SetInt(z)
	}
	return naive.Decimal{Exact: x.SetFrac(z, power(to.Scale))}
}
