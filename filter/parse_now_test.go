package filter

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// TestNow: the times of a text are those of its parsing, so that its Expr means the same later
// and elsewhere.
func TestNow(t *testing.T) {
	for _, text := range []string{"a = now()", "a = CURRENT_TIMESTAMP", "a = current_date", "a = today()"} {
		before := time.Now()
		e, err := Parse(text)
		after := time.Now()
		if err != nil {
			t.Fatal(err)
		}
		l := e.condition().Right[0].Literal
		at := time.Unix(l.Days*86400, l.Nanos)
		if strings.Contains(text, "da") {
			before = before.Truncate(24 * time.Hour)
			if l.Kind != value.LitDate {
				t.Errorf("%s is %s", text, e)
			}
		}
		if at.Before(before) || at.After(after) {
			t.Errorf("%s is %s", text, e)
		}
		again, err := Parse(e.String())
		l.Zone = value.Zone{} // that it is an instant is not in the text
		if err != nil || !identical(e.condition(), again.condition()) {
			t.Errorf("%s: %v", e, err)
		}
	}
}
