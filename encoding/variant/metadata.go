package variant

import (
	"sort"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Metadata is the names of the fields of a variant. It shares the memory of the bytes that it was parsed from.
type Metadata struct {
	n       int
	width   int // of offsets
	sorted  bool
	offsets []byte
	names   []byte
}

// number returns the little-endian number in b, which has at most 4 bytes.
func number(b []byte) (x uint64) {
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// entry returns number i of a list of numbers of the given width.
func entry(list []byte, width, i int) uint64 { return number(list[i*width : (i+1)*width]) }

// ParseMetadata reads metadata at the start of b, and returns how many bytes it has. Metadata
// without names may lack its one offset, as in examples of the format.
func ParseMetadata(b []byte) (Metadata, int, error) {
	m, size, err := OpenMetadata(b)
	if err != nil || m.n == 0 {
		return m, size, err
	}
	for from, i := entry(m.offsets, m.width, 0), 0; i < m.n; i++ { // names that overlap would have more bytes than the metadata
		to := entry(m.offsets, m.width, i+1)
		if from > to {
			return m, 0, corrupt.At(1+m.width, "name ", i, " lies from ", from, " to ", to, " of ", len(m.names), " bytes")
		}
		from = to
	}
	return m, size, nil
}

// OpenMetadata is ParseMetadata that looks at no names, so it takes the same time however many there are. Name checks
// each that it returns, but names may overlap.
func OpenMetadata(b []byte) (Metadata, int, error) {
	var m Metadata
	if len(b) == 0 {
		return m, 0, corrupt.At(0, "no metadata")
	}
	if version := b[0] & 15; version != 1 {
		return m, 0, corrupt.NotSupported("VARIANT of version ", version)
	}
	m.width, m.sorted = int(b[0]>>6)+1, b[0]&16 != 0
	if len(b) < 1+m.width {
		return m, 0, corrupt.At(1, "metadata ends in front of the number of names")
	}
	n, rest := number(b[1:1+m.width]), b[1+m.width:]
	if n == 0 && len(rest) < m.width {
		return m, len(b), nil
	}
	if (n+1)*uint64(m.width) > uint64(len(rest)) {
		return m, 0, corrupt.At(1, n, " names in metadata of ", len(b), " bytes")
	}
	m.n = int(n)
	m.offsets, m.names = rest[:(m.n+1)*m.width], rest[(m.n+1)*m.width:]
	end := entry(m.offsets, m.width, m.n)
	if end > uint64(len(m.names)) {
		return m, 0, corrupt.At(1+m.width+m.n*m.width, "names end at ", end, " of ", len(m.names), " bytes")
	}
	m.names = m.names[:end]
	return m, 1 + m.width + len(m.offsets) + len(m.names), nil
}

// Name returns the name with an id.
func (m *Metadata) Name(id uint64) ([]byte, error) {
	if id >= uint64(m.n) {
		return nil, corrupt.At(-1, "name ", id, " where the metadata has ", m.n)
	}
	from, to := entry(m.offsets, m.width, int(id)), entry(m.offsets, m.width, int(id)+1)
	if from > to || to > uint64(len(m.names)) {
		return nil, corrupt.At(-1, "name ", id, " lies from ", from, " to ", to, " of ", len(m.names), " bytes")
	}
	return m.names[from:to], nil
}

// Find returns the id of a name, and whether there is one.
func (m *Metadata) Find(name string) (id uint32, found bool, err error) {
	at, found, err := search(m.n, m.sorted, name, func(i int) ([]byte, error) { return m.Name(uint64(i)) })
	return uint32(at), found, err
}

// search returns which of n names, that of i by nameOf, is the one that is wanted, and whether there is one. Names that are
// sorted ascend; it is an error if the wanted one is among them where it must not be.
func search(n int, sorted bool, want string, nameOf func(i int) ([]byte, error)) (at int, found bool, err error) {
	from := 0
	if sorted {
		from = sort.Search(n, func(i int) bool {
			have, e := nameOf(i)
			if e != nil {
				err = e
			}
			return string(have) >= want
		})
	}
	for i := 0; i < n && err == nil; i++ {
		var have []byte
		at = (from + i) % n
		if have, err = nameOf(at); err == nil && string(have) == want {
			if sorted && i > 0 {
				return 0, false, corrupt.At(-1, "name ", at, " is not in the order of the names")
			}
			return at, true, nil
		}
	}
	return 0, false, err
}
