package keys

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// The encoding of a set. Numbers are little-endian:
//
//	WKEYS  1 │ columns │ added │ each column                                        │ tuples, of several columns
//	5 bytes 1│ 1 byte  │ 8     │ families, flags, least, most, first, last, words   │ words
//	                             1         1      8      8     string string
//
//	string   length (4), bytes
//	words    1 for a Bloom filter, 0 for the words to insert (1), their number (8), 8 bytes each
const magic, version = "WKEYS", 1

// fixed is the part of a column that has the same size in all sets.
type fixed struct {
	Families    value.Families
	Flags       uint8
	Least, Most int64
}

// flags returns the flags of a column, the lowest bit first. hasBytes says that first and last are bounds.
func (c *column) flags(hasBytes *bool) []*bool {
	return []*bool{&c.belowInt64, &c.aboveInt64, hasBytes, &c.decimals, &c.singles}
}

// AppendTo appends the encoding. A set with a fault has none.
func (k *Set) AppendTo(dst []byte) ([]byte, error) {
	if k.fault != "" {
		return dst, errors.New("filter: " + k.fault)
	}
	k.mu.Lock() // Finish may run
	defer k.mu.Unlock()
	dst = append(append(dst, magic...), version, byte(len(k.columns)))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(k.added))
	for i := range k.columns {
		c := &k.columns[i]
		if len(c.first) > math.MaxInt32 || len(c.last) > math.MaxInt32 {
			return dst, errors.New("filter: keys of more than 2 GiB")
		}
		flags, hasBytes := byte(0), c.first != nil
		for i, set := range c.flags(&hasBytes) {
			if *set {
				flags |= 1 << i
			}
		}
		dst, _ = binary.Append(dst, binary.LittleEndian, fixed{c.comparableTo, flags, c.least, c.most})
		for _, b := range [][]byte{c.first, c.last} {
			dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(b))), b...)
		}
		dst = c.seen.appendTo(dst)
	}
	if len(k.columns) > 1 {
		dst = k.tuples.appendTo(dst)
	}
	return dst, nil
}

func (s *seen) appendTo(dst []byte) []byte {
	form, words := byte(1), []uint64(s.words)
	if s.words == nil {
		form, words = 0, s.pending
	}
	dst = binary.LittleEndian.AppendUint64(append(dst, form), uint64(len(words)))
	dst, _ = binary.Append(dst, binary.LittleEndian, words)
	return dst
}

// Decode replaces the keys by those that AppendTo encoded. The bytes may be anything:
// what it allocates they contain. After an error the set is empty.
func (k *Set) Decode(b []byte) error {
	k.columns, k.tuples, k.reserved, k.added, k.fault = nil, seen{}, 0, 0, ""
	d := decoder{b: b}
	if string(d.take(len(magic))) != magic {
		return errors.New("filter: not the encoding of keys")
	}
	var v, columns uint8
	var added uint64
	if d.read(&v, &columns, &added); len(b) > len(magic) && v != version {
		return errors.New("filter: keys in version " + strconv.Itoa(int(v)) + ", and this is version " + strconv.Itoa(version))
	}
	if added > math.MaxInt || columns == 0 && added > 0 {
		d.failed = true
	}
	var all []column
	for i := 0; i < int(columns) && !d.failed; i++ {
		all = append(all, d.column())
	}
	var tuples seen
	if columns > 1 {
		tuples = d.seen()
	}
	if d.failed || len(d.b) > 0 {
		return errors.New("filter: the encoding of keys is damaged")
	}
	k.columns, k.tuples, k.added = all, tuples, int(added)
	return nil
}

// decoder reads an encoding. Behind its end, and after any fault, all is zero.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) take(n int) []byte {
	if d.failed = d.failed || n > len(d.b); d.failed {
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

// read reads numbers of a fixed size.
func (d *decoder) read(data ...any) {
	for _, x := range data {
		if b := d.take(binary.Size(x)); b != nil {
			_, _ = binary.Decode(b, binary.LittleEndian, x)
		}
	}
}

func (d *decoder) string() []byte {
	var n uint32
	if d.read(&n); uint64(n) > uint64(len(d.b)) {
		d.failed = true
	}
	return append([]byte{}, d.take(int(n))...)
}

func (d *decoder) column() column {
	var f fixed
	d.read(&f)
	c, hasBytes := column{comparableTo: f.Families, least: f.Least, most: f.Most}, false
	for i, set := range c.flags(&hasBytes) {
		*set = f.Flags>>i&1 != 0
	}
	first, last := d.string(), d.string()
	if hasBytes {
		c.first, c.last = first, last
	} else if len(first)+len(last) > 0 {
		d.failed = true
	}
	d.failed = d.failed || f.Flags>>len(c.flags(nil)) != 0 || c.comparableTo&^allFamilies() != 0
	c.seen = d.seen()
	return c
}

func (d *decoder) seen() seen {
	var form uint8
	var n uint64
	d.read(&form, &n)
	if d.failed = d.failed || n > uint64(len(d.b))/8 || form > 1 || form == 1 && (n == 0 || n > bloom.MaxWords); d.failed {
		return seen{}
	}
	words := make([]uint64, n)
	d.read(words)
	if form == 1 {
		return seen{words: words}
	}
	return seen{pending: words}
}
