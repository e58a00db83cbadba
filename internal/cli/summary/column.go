package summary

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Column is what the values of one leaf column are.
type Column struct {
	Path   []string
	Type   vector.Type
	Stored *vector.Stored // what the first file's Arrow schema says of it; nil: nothing
	Slots  int64          // values and NULLs
	Nulls  int64
	NaNs   int64

	kind kind
	extremes
	mean
	distinct *sketch // of all values, once not each of them is counted; nil before
	keys     frequent[int64]
	texts    frequent[string]
	values   *histogram // nil before the first number

	dict    *vector.Vector // whose codes uses counts
	uses    []int64
	scratch block
}

// extremes are the least and the greatest value.
type extremes struct {
	low, high   int64  // their keys
	least, most []byte // those of values that are bytes
	any         bool   // there are such
	known       bool   // from metadata
}

// block is values on their way into a summary.
type block struct {
	keys    []int64
	bytes   [][]byte
	numbers []float64
	weights []int64 // how often each value comes; nil: once
}

// weight returns how often value i comes.
func (b *block) weight(i int) int64 {
	if b.weights == nil {
		return 1
	}
	return b.weights[i]
}

const blockSize = 4096

func newColumn(path []string, t vector.Type) *Column {
	return &Column{Path: path, Type: t, kind: kindOf(t)}
}

// Expect says what the least and the greatest value are, so that the column needs
// not look for them.
func (c *Column) Expect(least, most vector.Scalar) {
	if least.IsNull() || most.IsNull() || least.Type() != c.Type || most.Type() != c.Type || !c.kind.hasKeys() && c.kind != texts {
		return
	}
	one := newColumn(nil, c.Type)
	for _, s := range []vector.Scalar{least, most} {
		one.add(s.Vector(1), nil)
	}
	if one.Slots == 2 && one.NaNs == 0 {
		c.extremes = one.extremes
		c.known = true
	}
}

// add adds the slots of a leaf vector. Those that outside leaves out are NULL
// because what they are part of is; nil leaves out none.
func (c *Column) add(v *vector.Vector, outside []uint64) (holds bool) {
	c.Slots += int64(v.Len)
	valid := v.Validity
	switch {
	case v.Form == vector.Constant:
		c.addConstant(v, outside)
		return false
	case len(valid) == 0:
		valid = outside
	case outside != nil:
		valid = append([]uint64(nil), valid...)
		bits.And(valid[:bits.Words(v.Len)], outside)
	}
	if valid != nil {
		c.Nulls += int64(v.Len - bits.Count(valid, 0, v.Len))
	}
	switch {
	case c.kind == unknown:
		return false
	case v.Form == vector.Dictionary:
		return c.countCodes(v, valid)
	}
	for from := 0; from < v.Len; from += blockSize {
		c.scratch.weights = nil
		c.take(v, valid, from, min(from+blockSize, v.Len))
		valid = valid[min(blockSize/64, len(valid)):]
	}
	return false
}

// addConstant adds a vector all of whose slots have one value.
func (c *Column) addConstant(v *vector.Vector, outside []uint64) {
	n := v.Len
	if outside != nil {
		n = bits.Count(outside, 0, v.Len)
	}
	if v.Len == 0 || v.IsNull(0) {
		n = 0
	}
	c.Nulls += int64(v.Len - n)
	if n > 0 && c.kind != unknown {
		c.scratch.weights = append(c.scratch.weights[:0], int64(n))
		c.take(v, nil, 0, 1)
	}
}

// countCodes counts the codes of a dictionary vector. It returns whether the
// dictionary is a new one, which then must stay as it is until the next comes.
func (c *Column) countCodes(v *vector.Vector, valid []uint64) (holds bool) {
	if v.Dict != c.dict {
		c.flush()
		c.dict, holds = v.Dict, true
		if cap(c.uses) < v.Dict.Len {
			c.uses = make([]int64, v.Dict.Len)
		}
		c.uses = c.uses[:v.Dict.Len]
		clear(c.uses)
	}
	codes, uses := v.Codes[:v.Len], c.uses
	if valid == nil {
		for _, code := range codes {
			uses[code]++
		}
		return holds
	}
	for i, code := range codes {
		if valid[i>>6]>>(uint(i)&63)&1 != 0 {
			uses[code]++
		}
	}
	return holds
}

// flush adds the values whose codes were counted.
func (c *Column) flush() {
	if c.dict == nil {
		return
	}
	used := make([]uint64, bits.Words(blockSize))
	for from := 0; from < len(c.uses); from += blockSize {
		to := min(from+blockSize, len(c.uses))
		clear(used)
		c.scratch.weights = c.scratch.weights[:0]
		for i, n := range c.uses[from:to] {
			if n > 0 {
				used[i>>6] |= 1 << (uint(i) & 63)
				c.scratch.weights = append(c.scratch.weights, n)
			}
		}
		if len(c.scratch.weights) > 0 {
			c.take(c.dict, used, from, to)
		}
	}
	c.dict = nil
}

// take adds the values in slots [from, to) of a vector: those with a bit in valid, whose first bit is
// for the slot from, or all if it is nil.
func (c *Column) take(v *vector.Vector, valid []uint64, from, to int) {
	b := &c.scratch
	b.keys, b.bytes, b.numbers = b.keys[:0], b.bytes[:0], b.numbers[:0]
	c.read(b, v, valid, from, to)
	if c.kind.hasKeys() {
		c.addKeys(b)
	} else {
		c.addBytes(b)
	}
	if c.kind.hasMean() {
		c.addNumbers(b)
	}
}

// addKeys adds values that have keys.
func (c *Column) addKeys(b *block) {
	if !c.known {
		for i, key := range b.keys {
			if i == 0 && !c.any {
				c.low, c.high, c.any = key, key, true
			}
			c.low, c.high = min(c.low, key), max(c.high, key)
		}
	}
	if c.keys.counts == nil && !c.keys.hopeless {
		c.keys.counts = map[int64]int64{}
	}
	for i, key := range b.keys {
		if c.distinct != nil {
			c.distinct.add(hashKey(key))
		}
		if c.keys.hopeless {
			continue
		}
		weight := b.weight(i)
		c.keys.total += weight
		if c.keys.counts[key] += weight; len(c.keys.counts) > maxCounted {
			c.estimate()
			c.keys.prune()
		}
	}
}

// estimate makes the sketch of all values, before the first of them is forgotten.
func (c *Column) estimate() {
	if c.distinct != nil {
		return
	}
	c.distinct = &sketch{}
	for key := range c.keys.counts {
		c.distinct.add(hashKey(key))
	}
	for value := range c.texts.counts {
		c.distinct.add(hashBytes([]byte(value)))
	}
}

// maxFrequent is the length of the longest bytes that are counted.
const maxFrequent = 256

// addBytes adds values that are bytes.
func (c *Column) addBytes(b *block) {
	if !c.known && c.kind != unordered {
		for _, v := range b.bytes {
			if !c.any {
				c.least, c.most, c.any = append([]byte(nil), v...), append([]byte(nil), v...), true
			} else if c.kind.compare(v, c.least) < 0 {
				c.least = append(c.least[:0], v...)
			} else if c.kind.compare(v, c.most) > 0 {
				c.most = append(c.most[:0], v...)
			}
		}
	}
	if c.texts.counts == nil && !c.texts.hopeless {
		c.texts.counts = map[string]int64{}
	}
	for i, v := range b.bytes {
		if len(v) > maxFrequent {
			c.estimate()
			c.texts.partial = true
		}
		if c.distinct != nil {
			c.distinct.add(hashBytes(v))
		}
		if c.texts.hopeless {
			continue
		}
		weight := b.weight(i)
		c.texts.total += weight
		if len(v) > maxFrequent {
			continue
		}
		if c.texts.counts[string(v)] += weight; len(c.texts.counts) > maxCounted {
			c.estimate()
			c.texts.prune()
		}
	}
}

// addNumbers adds values to the mean and to the histogram.
func (c *Column) addNumbers(b *block) {
	switch c.kind {
	case signed, unsigned:
		for i, key := range b.keys { // an unsigned number has the key 2^63 below
			c.addInt(key, b.weight(i))
		}
	case decimals, int96s:
		c.addWholeBytes(c.kind, b)
	default:
		c.addFloats(b)
	}
	if len(b.numbers) == 0 {
		return
	}
	if c.values == nil {
		c.values = &histogram{}
	}
	c.values.add(b.numbers, b.weights)
}
