package writer

import (
	"cmp"
	"strings"
)

// Facts is a set of things that a file says.
type Facts uint8

const (
	Bounds     Facts = 1 << iota // the least and the greatest value of a chunk or page
	NullCounts                   // numbers of nulls, and which pages have nothing else
	LevelOrder                   // that BIT_PACKED levels start at the highest bit
	ChunkSizes                   // how many bytes a column chunk has
)

// Traits is a set of properties of a column, or of a part of it.
type Traits uint8

const (
	Bytes      Traits = 1 << iota // BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY
	ByteArray                     // BYTE_ARRAY
	Decimal                       // DECIMAL
	Nested                        // within a group
	Dictionary                    // in a chunk that has a dictionary
	Page                          // what is said of a page, not of the chunk
)

// Writer is the rows of the table that hold for a file. The zero Writer is one
// without known defects.
type Writer []row

// Doubts returns which facts of a file must not be believed, for a column with
// these traits.
func (w Writer) Doubts(t Traits) (f Facts) {
	for i := range w {
		if w[i].of&^t == 0 {
			f |= w[i].wrong
		}
	}
	return f
}

// longest is how much of created_by is looked at: names and versions are far shorter.
const longest = 256

// From returns what is known of the writer of a file, given its created_by.
func From(createdBy string) Writer {
	name, v := parse(createdBy[:min(len(createdBy), longest)])
	released := v
	released.pre = false
	var rows Writer
	for _, r := range table {
		if strings.EqualFold(name, r.name) && !released.before(r.from) && (r.fixed == version{} || v.before(r.fixed)) {
			rows = append(rows, r)
		}
	}
	return rows
}

// version is the numbers of a version. The suffix of one before a release, as in
// 1.8.0-SNAPSHOT, is all that is known of it.
type version struct {
	major, minor, patch int32
	pre                 bool
}

func (v version) before(w version) bool {
	order := cmp.Or(cmp.Compare(v.major, w.major), cmp.Compare(v.minor, w.minor), cmp.Compare(v.patch, w.patch))
	return order < 0 || order == 0 && v.pre && !w.pre
}

// parse splits created_by. What is missing of the version, or is no number, is 0.
func parse(createdBy string) (name string, v version) {
	name, text, _ := strings.Cut(createdBy, " version")
	text = strings.TrimLeft(text, " v")
	for i, part := range [...]*int32{&v.major, &v.minor, &v.patch} {
		if i > 0 {
			if !strings.HasPrefix(text, ".") {
				break
			}
			text = text[1:]
		}
		*part, text = number(text)
	}
	v.pre = strings.HasPrefix(text, "-")
	return strings.TrimSpace(name), v
}

// number returns the number that text starts with, and what follows. One that is
// too great is as great as can be.
func number(text string) (n int32, rest string) {
	const most = 1 << 24
	i := 0
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		n = min(n*10+int32(text[i]-'0'), most)
	}
	return n, text[i:]
}
