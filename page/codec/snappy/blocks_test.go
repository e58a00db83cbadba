package snappy

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// literalOf appends a literal.
func literalOf(block, data []byte) []byte {
	n := len(data) - 1
	switch {
	case n < 60:
		block = append(block, byte(n<<2))
	case n < 1<<8:
		block = append(block, 60<<2, byte(n))
	case n < 1<<16:
		block = append(block, 61<<2, byte(n), byte(n>>8))
	case n < 1<<24:
		block = append(block, 62<<2, byte(n), byte(n>>8), byte(n>>16))
	default:
		block = binary.LittleEndian.AppendUint32(append(block, 63<<2), uint32(n))
	}
	return append(block, data...)
}

// copyOf appends a copy, of a kind that can say it.
func copyOf(block []byte, r *rand.Rand, length, offset int) []byte {
	var kinds []int
	if length >= 4 && length < 12 && offset < 1<<11 {
		kinds = append(kinds, 1, 1)
	}
	if offset < 1<<16 {
		kinds = append(kinds, 2, 2, 2)
	}
	switch append(kinds, 3)[r.IntN(len(kinds)+1)] {
	case 1:
		return append(block, byte(1|(length-4)<<2|offset>>8<<5), byte(offset))
	case 2:
		return append(block, byte(2|(length-1)<<2), byte(offset), byte(offset>>8))
	}
	return binary.LittleEndian.AppendUint32(append(block, byte(3|(length-1)<<2)), uint32(offset))
}

// randomBlock returns the tags of a block and what they give, put together as
// the tags are: a writer uses few of those that are possible.
func randomBlock(r *rand.Rand, tags int) (block, body []byte) {
	// How long literals are, how far copies reach, how often those are there.
	most, far, literals := 1<<r.IntN(9), 1<<r.IntN(18), 1+r.IntN(9)
	for range tags {
		if len(body) == 0 || r.IntN(10) < literals {
			data := make([]byte, 1+r.IntN(most))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			if r.IntN(200) == 0 {
				data = append(data, make([]byte, r.IntN(70_000))...)
			}
			block, body = literalOf(block, data), append(body, data...)
			continue
		}
		length, offset := 1+r.IntN(64), 1+r.IntN(min(far, len(body)))
		if r.IntN(2) == 0 {
			length = 1 + r.IntN(12)
		}
		block = copyOf(block, r, length, offset)
		for range length {
			body = append(body, body[len(body)-offset])
		}
	}
	return block, body
}

// A kind is a kind of page: the PLAIN values of a column, or dictionary codes.
type kind struct {
	name string
	page func(r *rand.Rand) []byte
}

// valuesPerPage is what writers put in a page that is not full before.
const valuesPerPage = 20_000

var words = strings.Fields(`carefully final deposits detect slyly again regular packages
	wake blithely among the furiously special ideas haggle quickly express requests above
	pending accounts nag ironic foxes after even theodolites sleep bold instructions are`)

func text(r *rand.Rand, n int) string {
	s := words[r.IntN(len(words))]
	for len(s) < n {
		s += " " + words[r.IntN(len(words))]
	}
	return s[:n]
}

// stringsPage and numbersPage make a page of what value returns.
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

var kinds = []kind{
	{"comments", stringsPage(func(r *rand.Rand) string { return text(r, 10+r.IntN(34)) })},
	{"urls", stringsPage(func(r *rand.Rand) string {
		return fmt.Sprintf("https://%s.example.org/%s/%s?id=%d&page=%d", words[r.IntN(9)], words[r.IntN(len(words))],
			strings.ReplaceAll(text(r, 8+r.IntN(40)), " ", "-"), r.IntN(1_000_000), r.IntN(20))
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
	{"codes", func(r *rand.Rand) (page []byte) { // of 16 bits, most of them few
		for range valuesPerPage {
			page = binary.LittleEndian.AppendUint16(page, uint16(r.ExpFloat64()*40))
		}
		return page
	}},
}

// pages returns 16 different pages: a loop over one measures how well the
// branch predictor learns it.
func (k kind) pages() [][]byte {
	out := make([][]byte, 16)
	for i := range out {
		out[i] = k.page(rand.New(rand.NewPCG(uint64(i), 7)))
	}
	return out
}
