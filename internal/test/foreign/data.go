package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// source is where the made-up data come from.
type source struct{ *rand.Rand }

func seeded(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 7))} }

func (s source) pick(words string) string {
	w := strings.Fields(words)
	return w[s.IntN(len(w))]
}

// skewed returns a number below n, small ones far more often.
func (s source) skewed(n int) int {
	x := s.Float64()
	return int(x * x * x * float64(n))
}

func (s source) sentence(words string, most int) string {
	var b strings.Builder
	for i := range 2 + s.IntN(most) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.pick(words))
	}
	return b.String()
}

const (
	shipModes  = "AIR FOB MAIL RAIL SHIP TRUCK REG-AIR"
	adjectives = "quiet bold fresh early amber narrow patient spare brisk plain steady mild"
	nouns      = "crate pallet ledger harbour carton courier bolt panel valve wheel lantern spool"
	paths      = "shop cart item search about help blog news login account video music maps"
	agents     = "curl/8.5 Wget/1.21 Firefox/128 Chrome/126 Safari/17 Edge/125 bot-crawler/2.1"
	colours    = "red green blue black white amber"
	cities     = "Lyon Porto Graz Turku Ghent Brno Leeds Cork Aarhus Zadar"
)

func (s source) url() string {
	u := "https://www.example.com/" + s.pick(paths)
	for range s.IntN(3) {
		u += "/" + s.pick(nouns)
	}
	if s.IntN(2) == 0 {
		u += fmt.Sprintf("?id=%d&page=%d", s.skewed(5000), s.IntN(20))
	}
	return u
}
