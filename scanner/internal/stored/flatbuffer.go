package stored

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

var errBroken = errors.New("its bytes are no schema message")

// buffer is a flatbuffer. A read outside of it sets broken and returns zeros.
type buffer struct {
	bytes  string
	broken bool
	left   int // how many more bytes of texts it may give: several places may be of one text
}

// table is a table in a buffer. at 0 is the absent table, whose fields have their defaults.
type table struct {
	*buffer
	at int
}

// open returns the Schema table of a message in base64.
func open(text string) (table, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return table{}, errors.New("it is no base64")
	}
	if len(b) >= 4 && binary.LittleEndian.Uint32(b) == 0xffffffff {
		b = b[4:]
	}
	if len(b) < 8 {
		return table{}, errBroken
	}
	f := &buffer{bytes: string(b[4:]), left: 4*len(b) + 1<<16}
	message := table{f, f.place(0)}
	schema := message.table(messageHeader)
	if message.number(messageHeaderType, 1, 0) != schemaHeader || schema.at == 0 || f.broken {
		return table{}, errBroken
	}
	return schema, nil
}

// read returns the little-endian number of size bytes at a place.
func (f *buffer) read(at, size int) uint32 {
	if at < 0 || at > len(f.bytes)-size {
		f.broken = true
		return 0
	}
	n := uint32(0)
	for i := size - 1; i >= 0; i-- {
		n = n<<8 | uint32(f.bytes[at+i])
	}
	return n
}

// place returns where the offset at a place leads to.
func (f *buffer) place(at int) int {
	n := f.read(at, 4)
	if n == 0 || uint64(n) > uint64(len(f.bytes)-at) {
		f.broken = true
		return 0
	}
	return at + int(n)
}

// slot returns where field i of a table is, 0 if it is absent.
func (t table) slot(i int) int {
	if t.at == 0 {
		return 0
	}
	vtable := t.at - int(int32(t.read(t.at, 4)))
	if 2*i+6 > int(t.read(vtable, 2)) {
		return 0
	}
	if offset := int(t.read(vtable+4+2*i, 2)); offset != 0 {
		return t.at + offset
	}
	return 0
}

// number returns a number of size bytes, at most 4. One of fewer is unsigned.
func (t table) number(i, size int, missing int32) int32 {
	if at := t.slot(i); at != 0 {
		return int32(t.read(at, size))
	}
	return missing
}

func (t table) table(i int) table {
	if at := t.slot(i); at != 0 {
		return table{t.buffer, t.place(at)}
	}
	return table{t.buffer, 0}
}

// vector returns where the elements of a vector of size bytes each begin, and how many there are.
func (t table) vector(i, size int) (at, n int) {
	if at = t.slot(i); at == 0 {
		return 0, 0
	}
	at = t.place(at)
	count := t.read(at, 4)
	at += 4
	if t.broken || uint64(count)*uint64(size) > uint64(len(t.bytes)-at) {
		t.broken = true
		return 0, 0
	}
	return at, int(count)
}

func (t table) text(i int) string {
	at, n := t.vector(i, 1)
	if t.left -= n; t.left < 0 {
		t.broken = true
		return ""
	}
	return t.bytes[at : at+n]
}

// tables is a vector of tables.
type tables struct {
	*buffer
	at, count int
}

func (t table) tables(i int) tables {
	at, n := t.vector(i, 4)
	return tables{t.buffer, at, n}
}

func (v tables) index(i int) table { return table{v.buffer, v.place(v.at + 4*i)} }

// metadata returns the keys and values of field i.
func (t table) metadata(i int) (keys, values []string) {
	all := t.tables(i)
	if t.left -= 32 * all.count; t.left < 0 { // the memory of a key and a value
		t.broken = true
	}
	for i := 0; i < all.count && !t.broken; i++ {
		keys, values = append(keys, all.index(i).text(0)), append(values, all.index(i).text(1))
	}
	return keys, values
}
