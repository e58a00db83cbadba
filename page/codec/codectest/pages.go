package codectest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A Kind is a kind of page: the PLAIN values of a column, or dictionary codes.
type Kind struct {
	Name string
	Page func(r *rand.Rand) []byte
}

// valuesPerPage is the number of values at which writers end a page.
const valuesPerPage = 20_000

var words = strings.Fields(`carefully final deposits detect slyly again regular packages
	wake blithely among the furiously special ideas haggle quickly express requests above
	pending accounts nag ironic foxes after even theodolites sleep bold instructions are`)

// Text returns n bytes of words.
func Text(r *rand.Rand, n int) string {
	s := words[r.IntN(len(words))]
	for len(s) < n {
		s += " " + words[r.IntN(len(words))]
	}
	return s[:n]
}

// stringsPage and numbersPage return a function that makes a page of the values that value returns.
func stringsPage(value func(r *rand.Rand) string) func(r *rand.Rand) []byte {
	return func(r *rand.Rand) (page []byte) {
		for range valuesPerPage {
			s := value(r)
			page = append(binary.LittleEndian.AppendUint32(page, uint32(len(s))), s...)
		}
		return page
	}
}

func numbersPage(value func(r *rand.Rand, last uint64) uint64) func(r *rand.Rand) []byte {
	return func(r *rand.Rand) (page []byte) {
		last := uint64(1_700_000_000_000_000)
		for range valuesPerPage {
			last = value(r, last)
			page = binary.LittleEndian.AppendUint64(page, last)
		}
		return page
	}
}

// Kinds returns the kinds of pages that codecs are tested and measured with.
func Kinds() []Kind { return kinds }

var kinds = []Kind{
	{"comments", stringsPage(func(r *rand.Rand) string { return Text(r, 10+r.IntN(34)) })},
	{"urls", stringsPage(func(r *rand.Rand) string {
		return fmt.Sprintf("https://%s.example.org/%s/%s?id=%d&page=%d", words[r.IntN(9)], words[r.IntN(len(words))],
			strings.ReplaceAll(Text(r, 8+r.IntN(40)), " ", "-"), r.IntN(1_000_000), r.IntN(20))
	})},
	{"sessions", func() func(r *rand.Rand) []byte {
		id := "0123456789abcdef"
		return stringsPage(func(r *rand.Rand) string {
			if r.IntN(5) == 0 {
				id = fmt.Sprintf("%016x", r.Uint64())
			}
			return id
		})
	}()},
	{"keys-sorted", numbersPage(func(r *rand.Rand, last uint64) uint64 { return last + uint64(r.IntN(7)/6*(1+r.IntN(8))) })},
	{"keys-random", numbersPage(func(r *rand.Rand, _ uint64) uint64 { return 1 + r.Uint64N(200_000) })},
	{"times", numbersPage(func(r *rand.Rand, last uint64) uint64 { return last + r.Uint64N(60_000_000) })},
	{"prices", numbersPage(func(r *rand.Rand, _ uint64) uint64 {
		return math.Float64bits(float64(1+r.IntN(50)) * (900 + float64(r.IntN(120_000))/100))
	})},
	{"noise", numbersPage(func(r *rand.Rand, _ uint64) uint64 { return r.Uint64() })},
	{"codes", func(r *rand.Rand) (page []byte) { // of 16 bits, most of them small
		for range valuesPerPage {
			page = binary.LittleEndian.AppendUint16(page, uint16(r.ExpFloat64()*40))
		}
		return page
	}},
	{"few", func(r *rand.Rand) []byte { // few different bytes, almost no repeated sequences
		page, n := make([]byte, 2*valuesPerPage), 20+r.IntN(45)
		for i := range page {
			page[i] = byte(r.IntN(n))
		}
		return page
	}},
}

// Pages returns 16 different pages. A benchmark that loops over a single page
// would measure how well the branch predictor learns it.
func (k Kind) Pages() [][]byte {
	out := make([][]byte, 16)
	for i := range out {
		out[i] = k.Page(rand.New(rand.NewPCG(uint64(i), 7)))
	}
	return out
}
