package compile

import "testing"

// TestVerdictOfLike: bounds are compared with the text in front of the first % or _, in
// which an escaped one stands for itself.
func TestVerdictOfLike(t *testing.T) {
	s := oneColumn(t, kind("str"))
	for _, c := range []struct {
		where, least, most string
		want               Verdict
	}{
		{`x LIKE 'a!%b%c' ESCAPE '!'`, "a%b", "a%c", Some},
		{`x LIKE 'a!%b%c' ESCAPE '!'`, "a!", "a!z", None},
		{`x LIKE 'a!_b%c' ESCAPE '!'`, "a_b", "a_c", Some},
		{`x LIKE 'a!!b%c' ESCAPE '!'`, "a!b", "a!c", Some},
		{`x LIKE 'a!!b%c' ESCAPE '!'`, "a!!", "a!!z", None},
		{`x LIKE 'ab%c_'`, "aa", "ab", Some},
		{`x LIKE 'ab%c_'`, "ac", "ad", None},
		{`x LIKE '_b%c'`, "ac", "ad", Some},
	} {
		p, err := bindText(c.where, s)
		if err != nil {
			t.Fatal(err)
		}
		b := Bounds{Min: []byte(c.least), Max: []byte(c.most), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 2}
		if got := testsOf(p)[0].Verdict(&b); got != c.want {
			t.Errorf("%s of %s to %s: %v, want %v", c.where, c.least, c.most, got, c.want)
		}
	}
}
