package oracle

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

func (g *writer) search(p *place) condition {
	r := g.r
	o, sql, b, node := g.instance(p)
	v, _ := g.valueOf(p).(string)
	most := pick(r, 1, 8) // short parts are in many rows, or in all
	from := r.IntN(len(v) + 1)
	part := v[from:][:r.IntN(min(len(v)-from, most)+1)]
	truth := &naive.Cond{Left: o, Text: part}
	of := func(op naive.Op, name string, build func(string) *filter.Expr) condition {
		truth.Op = op
		if r.IntN(3) == 0 { // what no row may have
			truth.Text = nearText(r, truth.Text)
		}
		return g.finish(node, name, p, truth, name+"("+sql+", "+quoted(truth.Text)+")", build(truth.Text))
	}
	switch r.IntN(5) {
	case 0:
		truth.Text = v[:r.IntN(min(len(v), most)+1)]
		return of(naive.Prefix, "prefix", b.Prefix)
	case 1:
		truth.Text = v[len(v)-r.IntN(min(len(v), most)+1):]
		return of(naive.Suffix, "suffix", b.Suffix)
	case 2:
		return of(naive.Contains, "contains", b.Contains)
	case 3:
		truth.Op, truth.Text = naive.Match, pick(r, "^a", "[0-4]$", "^$", "a.*0", "[^a]", "é|日", strings.Repeat(regexp.QuoteMeta(strings.ToValidUTF8(part, "")), r.IntN(3)))
		truth.Regexp = regexp.MustCompile(truth.Text)
		if r.IntN(3) == 0 {
			truth.Not = true
			return g.finish(node, "~", p, truth, sql+" !~ "+quoted(truth.Text), nil)
		}
		return g.finish(node, "~", p, truth, sql+" ~ "+quoted(truth.Text), b.Match(truth.Regexp))
	}
	if r.IntN(3) == 0 {
		v = "%" + part + "%"
	}
	return g.like(p, v, truth, sql, b, node)
}

// like makes a pattern of a value by putting % and _ in the place of parts.
func (g *writer) like(p *place, v string, truth *naive.Cond, sql string, b filter.Column, node string) condition {
	r := g.r
	truth.Op, truth.Not = naive.Like, r.IntN(4) == 0
	if r.IntN(3) == 0 {
		truth.Escape = '!'
	}
	var pattern strings.Builder
	if len(v) > 12 {
		v = v[:4+r.IntN(8)] + "%"
	}
	for _, c := range v {
		switch k := r.IntN(8); {
		case k == 0:
			pattern.WriteString("%")
			if r.IntN(2) == 0 {
				continue
			}
		case k == 1:
			pattern.WriteString("_")
			continue
		case k == 2 && truth.Escape != 0:
			pattern.WriteString("!")
		}
		pattern.WriteRune(c)
	}
	pattern.WriteString(pick(r, "", "", "%", "%%", "!"))
	truth.Text = pattern.String()
	not, escape, build := "", "", b.Like(truth.Text)
	if r.IntN(3) == 0 { // whatever the case
		truth.Fold = true
		if truth.Text = swapCase(r, truth.Text); truth.Not {
			not = " NOT"
		}
		if truth.Escape != 0 {
			truth.Escape = pick(r, '!', 'x') // of a letter, the pattern may have it in the other case
			truth.Text = strings.ReplaceAll(truth.Text, "!", string(truth.Escape))
			escape = " ESCAPE " + quoted(string(truth.Escape))
		}
		return g.finish(node, "ILIKE", p, truth, sql+not+" ILIKE "+quoted(truth.Text)+escape, nil)
	}
	switch {
	case truth.Not && truth.Escape != 0:
		not, build = " NOT", nil
	case truth.Not:
		not, build = " NOT", b.NotLike(truth.Text)
	case truth.Escape != 0:
		build = b.LikeEscape(truth.Text, truth.Escape)
	}
	if truth.Escape != 0 {
		escape = " ESCAPE '!'"
	}
	return g.finish(node, "LIKE", p, truth, sql+not+" LIKE "+quoted(truth.Text)+escape, build)
}

// swapCase changes the case of some letters.
func swapCase(r *rand.Rand, s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case r.IntN(2) == 0:
			return c
		case unicode.IsUpper(c):
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, s)
}
