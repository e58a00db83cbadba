package oracle

import (
	"strings"

	"github.com/winnow-scan/winnow/internal/naive"
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
			switch r.IntN(7) {
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
			switch r.IntN(5) {
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
		default:
			return nil, sql
		}
	}
	return all, text
}
