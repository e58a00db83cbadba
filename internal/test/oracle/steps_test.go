package oracle

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/naive"
)

// steps returns what is done with the values of p before they are compared, and the text; none
// where p has nothing of the kind. The results are near to the values, so that literals
// near to these tell them apart.
//
//every:step oracle
func (g *writer) steps(p *place, sql string) (all []naive.Step, text string) {
	r := g.r
	text = sql
	for range 1 + r.IntN(2) {
		if strings.ContainsAny(text, " -") {
			text = "(" + text + ")"
		}
		switch {
		case p.length || p.family == numbers:
			by := number(pick(r, "1", "3", "-7", "0.5", "2.25", "0.1", "1e1"))
			s := naive.Step{By: by.value}
			switch r.IntN(8) {
			case 6:
				s = naive.Step{Op: naive.Call, Name: pick(r, "abs", "floor", "ceil")}
				text = s.Name + "(" + text + ")"
			case 0:
				s.Op, text = naive.Add, text+" + "+by.sql
			case 1:
				s.Op, text = naive.Subtract, text+" - "+by.sql
			case 2:
				s.Op, text = naive.SubtractFrom, by.sql+" - "+text
			case 3:
				s.Op, text = naive.Multiply, by.sql+" * "+text
			case 4:
				s.Op, text = naive.Divide, text+" / "+by.sql
			case 5:
				s.Op, text = naive.CastDouble, "CAST("+text+" AS DOUBLE)"
			default:
				s.Op, text = naive.CastFloat, text+"::FLOAT"
			}
			all = append(all, s)
		case p.family == moments:
			s := naive.Step{Op: naive.Shift}
			switch r.IntN(6) {
			case 4:
				unit := pick(r, "month", "week", "hour", "year")
				s = naive.Step{Op: naive.Call, Name: "date_trunc", Constants: []any{unit}}
				text = "date_trunc('" + unit + "', " + text + ")"
			case 0:
				s.Op, text = naive.CastDate, "CAST("+text+" AS DATE)"
			case 1:
				s.Days, text = -1, text+" - INTERVAL '1 day'"
			case 2:
				s.Months, text = 1, text+" + INTERVAL '1 month'"
			case 3:
				s.Months, s.Nanos, text = -13, -5400e9, text+" - INTERVAL '1 year 1 month 01:30:00'"
			default:
				s.Nanos, text = 1_000_001_000, "INTERVAL '1.000001 seconds' + "+text
			}
			all = append(all, s)
		case p.family == texts:
			s := naive.Step{Op: naive.Call, Name: pick(r, "lower", "upper", "trim", "left", "right", "substr")}
			arguments := ""
			if s.Name == "left" || s.Name == "right" || s.Name == "substr" {
				n := number(pick(r, "1", "2", "3", "-1"))
				s.Constants, arguments = []any{n.value}, ", "+n.sql
			}
			text = s.Name + "(" + text + arguments + ")"
			all = append(all, s)
			if r.IntN(3) == 0 {
				return append(all, naive.Step{Op: naive.Call, Name: "length"}), "length(" + text + ")"
			}
		default:
			return nil, sql
		}
	}
	return all, text
}

// folded returns a literal that is near to what functions of strings return for a text.
func (g *writer) folded(steps []naive.Step, text string) literal {
	var v any = text
	for i := range steps {
		v = steps[i].Apply(v)
	}
	if n, isLength := v.(int64); isLength {
		return number(strconv.FormatInt(n+int64(g.r.IntN(3)-1), 10))
	}
	if g.r.IntN(4) == 0 {
		v = text
	}
	return textLiteral(g.r, v.(string))
}
