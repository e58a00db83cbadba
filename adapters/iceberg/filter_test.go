package icebergscan_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
)

// subject is a column that conditions are on, or a transform of one. A column of its own has the same values, for
// iceberg-go's reader, which cannot read by transforms.
type subject struct {
	typ    iceberg.Type
	of     int // the column of a transform
	by     iceberg.Transform
	values []iceberg.Literal // nil for NULL
}

func (s *subject) column(i int) iceberg.NestedField {
	return iceberg.NestedField{ID: i + 1, Name: fmt.Sprint("c", i), Type: s.typ}
}

// subjects are all types with random values, and all transforms that the scan knows.
func subjects(rng *rand.Rand, rows int) []subject {
	moments := []string{"1969-12-31T23:59:59.999999", "1970-01-01T00:00:00", "1968-02-29T01:00:00", "2023-12-31T23:59:59", "2024-01-01T00:00:00", "2024-02-29T12:34:56.000001", "2024-02-29T13:00:00"}
	zoned := slices.Clone(moments)
	for i := range zoned {
		zoned[i] += "+00:00"
	}
	p := iceberg.PrimitiveTypes
	all := []subject{}
	add := func(typ iceberg.Type, texts ...string) {
		s := subject{typ: typ}
		for range rows {
			var l iceberg.Literal
			if rng.IntN(6) > 0 {
				var err error
				if l, err = iceberg.NewLiteral(texts[rng.IntN(len(texts))]).To(typ); err != nil {
					panic(err)
				}
			}
			s.values = append(s.values, l)
		}
		all = append(all, s)
	}
	add(p.Bool, "true", "false")
	add(p.Int32, "-2147483648", "-11", "-10", "0", "9", "10", "2147483647")
	add(p.Int64, "-9223372036854775808", "-1", "0", "9007199254740993", "9223372036854775807")
	add(p.Float32, "-1.5", "0", "0.1", "3.25", "NaN", "Inf")
	add(p.Float64, "-1.5", "0", "0.1", "3.25", "NaN", "-Inf")
	add(iceberg.DecimalTypeOf(9, 2), "-1.25", "0.00", "10.50", "1234567.89")
	add(iceberg.DecimalTypeOf(38, 10), "-1.2500000000", "0.0000000001", "1234567890123456789012345678.0000000000")
	add(p.Date, "1969-12-31", "1970-01-01", "1968-02-29", "2023-12-31", "2024-01-01", "2024-02-29")
	add(p.Time, "00:00:00", "10:00:00.000001", "23:59:59.999999")
	add(p.Timestamp, moments...)
	add(p.TimestampTz, zoned...)
	add(p.String, "", "a", "ab", "äb", "äbc", "日本語", "a%b")
	add(p.UUID, "00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b")
	for of := range all {
		for _, name := range []string{"identity", "year", "month", "day", "hour", "truncate[2]"} {
			by, err := iceberg.ParseTransform(name)
			if err != nil {
				panic(err)
			}
			source := &all[of]
			if _, isText := source.typ.(iceberg.StringType); source.by != nil || !by.CanTransform(source.typ) || name[0] == 't' && !isText {
				continue
			}
			s := subject{typ: by.ResultType(source.typ), of: of, by: by}
			for _, l := range source.values {
				if l != nil {
					l = by.Apply(iceberg.Optional[iceberg.Literal]{Valid: true, Val: l}).Val
				}
				s.values = append(s.values, l)
			}
			all = append(all, s)
		}
	}
	return all
}

// quoted returns a literal in JSON.
func (s *subject) quoted(l iceberg.Literal) string {
	zone := ""
	if s.typ == iceberg.PrimitiveTypes.TimestampTz {
		zone = "Z"
	}
	switch v := l.Any().(type) {
	case bool, int32, int64:
		return fmt.Sprint(v)
	case iceberg.Timestamp:
		return `"` + v.ToTime().Format("2006-01-02T15:04:05.999999") + zone + `"`
	case float32, float64:
		return fmt.Sprintf(`"%v"`, v)
	}
	return fmt.Sprintf("%q", l.String())
}

// TestOperations compares each operation on each type and transform with iceberg-go's reader, and makes the table of
// the README of those by which some rows are found.
func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 6))
	all := subjects(rng, 120)
	fields := []iceberg.NestedField{}
	var rows strings.Builder
	for i := range all {
		fields = append(fields, all[i].column(i))
	}
	fields = append(fields, iceberg.NestedField{ID: 1000, Name: "id", Type: iceberg.PrimitiveTypes.Int64})
	for k := range all[0].values {
		fmt.Fprintf(&rows, `{"id": %d`, k)
		for i := range all {
			if l := all[i].values[k]; l != nil {
				fmt.Fprintf(&rows, `, "c%d": %s`, i, all[i].quoted(l))
			}
		}
		rows.WriteString("},\n")
	}
	tbl := tables.New(t.Context(), t.TempDir()).Create("operations", 2, fields, nil, nil)
	tbl.Append(rows.String())

	rounds := dtest.Rounds(t, 6)
	readme := "| in Iceberg | in the scan | on columns | on transforms |\n|---|---|---|---|\n"
	for _, op := range slices.Sorted(maps.Keys(icebergscan.Operations)) {
		var on, not, by []string
		for i := range all {
			s := &all[i]
			found := s.takes(op) && s.try(t, rng, tbl.Table, i, op, rounds)
			switch {
			case s.by == nil && found:
				on = append(on, s.typ.String())
			case s.by == nil:
				not = append(not, s.typ.String())
			case found && !slices.Contains(by, s.by.String()):
				by = append(by, s.by.String())
			}
		}
		if len(on) == 0 {
			t.Errorf("%s finds no rows of any type", op)
		}
		types := strings.Join(on, ", ")
		if len(not) < len(on) {
			types = strings.TrimSuffix("all but "+strings.Join(not, ", "), " but ")
		}
		example := icebergscan.Operations[op](filter.Col("x"), []any{vector.StringOf("a"), vector.StringOf("b")})
		readme += fmt.Sprintf("| %s | `%s` | %s | %s |\n", op, example, types, strings.Join(by, ", "))
	}
	if !testing.Short() {
		dtest.Table(t, "README.md", readme)
	}
}

// takes reports whether iceberg-go takes an operation for a type, and does not replace it by TRUE or FALSE.
func (s *subject) takes(op iceberg.Operation) bool {
	switch _, isText := s.typ.(iceberg.StringType); op {
	case iceberg.OpLT, iceberg.OpLTEQ, iceberg.OpGT, iceberg.OpGTEQ: // its reader has no order of these
		return s.typ != iceberg.PrimitiveTypes.Bool && s.typ != iceberg.PrimitiveTypes.UUID
	case iceberg.OpIn, iceberg.OpNotIn: // it loses rows of (TRUE, FALSE)
		return s.typ != iceberg.PrimitiveTypes.Bool
	case iceberg.OpIsNan, iceberg.OpNotNan:
		return s.typ == iceberg.PrimitiveTypes.Float32 || s.typ == iceberg.PrimitiveTypes.Float64
	case iceberg.OpStartsWith, iceberg.OpNotStartsWith:
		return isText
	}
	return true
}

// try asks for the rows of conditions with random values, and reports whether one found some of the rows.
func (s *subject) try(t *testing.T, rng *rand.Rand, tbl *table.Table, i int, op iceberg.Operation, rounds int) (found bool) {
	t.Helper()
	literals := slices.DeleteFunc(slices.Clone(s.values), func(l iceberg.Literal) bool { return l == nil || strings.Contains(l.String(), "NaN") })
	for range rounds {
		some := []iceberg.Literal{literals[rng.IntN(len(literals))], literals[rng.IntN(len(literals))]}
		own := iceberg.UnboundTerm(iceberg.Reference(s.column(i).Name))
		term := own
		if s.by != nil {
			term = iceberg.NewUnboundTransform(s.by, iceberg.Reference(s.column(s.of).Name))
		}
		condition := func(term iceberg.UnboundTerm) iceberg.BooleanExpression {
			switch op {
			case iceberg.OpIsNull, iceberg.OpNotNull, iceberg.OpIsNan, iceberg.OpNotNan:
				return iceberg.UnaryPredicate(op, term)
			case iceberg.OpIn, iceberg.OpNotIn:
				return iceberg.SetPredicate(op, term, some)
			}
			return iceberg.LiteralPredicate(op, term, some[0])
		}
		pass := map[iceberg.Operation]func(l iceberg.Literal) bool{ // for which iceberg-go's reader fails, if only for decimals
			iceberg.OpIsNull:        func(l iceberg.Literal) bool { return l == nil },
			iceberg.OpNotNull:       func(l iceberg.Literal) bool { return l != nil },
			iceberg.OpStartsWith:    func(l iceberg.Literal) bool { return l != nil && strings.HasPrefix(l.String(), some[0].String()) },
			iceberg.OpNotStartsWith: func(l iceberg.Literal) bool { return l != nil && !strings.HasPrefix(l.String(), some[0].String()) },
		}[op]
		var want []string
		if pass == nil {
			want = theirs(t, tbl, table.WithSelectedFields("id"), table.WithRowFilter(condition(own)))
		} else {
			for k, l := range s.values {
				if pass(l) {
					want = append(want, fmt.Sprint("id=", k))
				}
			}
		}
		got := ours(t, tbl, icebergscan.Query{Select: []string{"id"}, Filter: condition(term)}, scanner.Options{})
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s of %s: %d rows, want %d", condition(term), s.typ, len(got), len(want))
		}
		found = found || 0 < len(want) && len(want) < len(s.values)
	}
	return found
}

// TestFarTransforms compares transforms with the least and greatest number of units, which no time has. A year beyond
// those of dates is an error.
func TestFarTransforms(t *testing.T) {
	for _, unit := range []iceberg.Transform{iceberg.YearTransform{}, iceberg.MonthTransform{}, iceberg.DayTransform{}, iceberg.HourTransform{}} {
		for _, n := range []int32{math.MinInt32, math.MaxInt32} {
			l := iceberg.NewLiteral(n)
			if unit == (iceberg.DayTransform{}) {
				l = iceberg.NewLiteral(iceberg.Date(n))
			}
			less := iceberg.LiteralPredicate(iceberg.OpLT, iceberg.NewUnboundTransform(unit, ref("ts")), l)
			r, tasks := reader(t, samples()["types"].Table, icebergscan.Query{})
			tasks[0].Residual = less
			rows := 0
			var err error
			for b, fault := range r.Scan(t.Context(), tasks, scanner.Options{}) {
				if err = fault; err == nil {
					rows += b.Len
					b.Release()
				}
			}
			want := map[bool]int{true: 86}[n > 0] // 14 of 100 are NULL
			if isFar := err != nil && strings.Contains(err.Error(), "is out of range"); !isFar && rows != want {
				t.Errorf("%s: %d rows, want %d: %v", less, rows, want, err)
			}
		}
	}
}

// TestUnknownTransform refuses conditions on transforms that the scan does not know.
func TestUnknownTransform(t *testing.T) {
	for name, column := range map[string]string{"bucket[4]": "id", "truncate[10]": "id", "void": "i"} {
		by, err := iceberg.ParseTransform(name)
		if err != nil {
			t.Fatal(err)
		}
		r, tasks := reader(t, samples()["types"].Table, icebergscan.Query{})
		tasks[0].Residual = iceberg.EqualTo(iceberg.NewUnboundTransform(by, ref(column)), int64(5))
		for _, err = range r.Scan(t.Context(), tasks, scanner.Options{}) {
		}
		if err == nil || !strings.Contains(err.Error(), "a condition on ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
