package thrift

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// What a reader got wrong is named, and nothing is said of what is right.
func TestConfirm(t *testing.T) {
	b := encode(t, pageHeaders()[0])
	var h PageHeader
	if _, err := ReadPageHeader(b, &h); err != nil {
		t.Fatal(err)
	}
	isNamed(t, Confirm(&h, b), "")
	h.NumValues++
	isNamed(t, Confirm(&h, b), ": NumValues is 2, not 1; please report it")
	h.NumValues--
	h.Statistics.MaxValue = nil
	isNamed(t, Confirm(&h, b), `: Statistics.MaxValue is absent, not "dddd"; please report it`)
	isNamed(t, Confirm(&h, b[:3]), "it refuses the bytes: byte 3")

	b = encode(t, columnIndex(3))
	var x ColumnIndex
	if _, err := ReadColumnIndex(b, &x); err != nil {
		t.Fatal(err)
	}
	isNamed(t, Confirm(&x, b), "")
	x.NullPages[1] = !x.NullPages[1]
	isNamed(t, Confirm(&x, b), ": NullPages[1] is true, not false")

	b = encode(t, offsetIndex(2))
	var o OffsetIndex
	if _, err := ReadOffsetIndex(b, &o); err != nil {
		t.Fatal(err)
	}
	isNamed(t, Confirm(&o, b), "")
	o.Pages = o.Pages[:1]
	isNamed(t, Confirm(&o, b), ": Pages has 1 elements, not 2")

	b = encode(t, bloomFilterHeader())
	var bloom BloomFilterHeader
	if _, err := ReadBloomFilterHeader(b, &bloom); err != nil {
		t.Fatal(err)
	}
	isNamed(t, Confirm(&bloom, b), "")
	bloom.Hash = 7
	isNamed(t, Confirm(&bloom, b), ": Hash is 7, not 1")
}

// Altered bytes that the readers accept are no fault of theirs, whatever the library says of them.
func TestConfirmAltered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 73))
	kinds := []struct {
		bytes   []byte
		confirm func(b []byte) (read, second error)
	}{
		{encode(t, pageHeaders()[0]), confirmed(ReadPageHeader)},
		{encode(t, columnIndex(5)), confirmed(ReadColumnIndex)},
		{encode(t, offsetIndex(3)), confirmed(ReadOffsetIndex)},
		{encode(t, bloomFilterHeader()), confirmed(ReadBloomFilterHeader)},
		{encode(t, fullFooter()), func(b []byte) (read, second error) {
			f, err := readEverything(b)
			if err != nil {
				return err, nil
			}
			return nil, ConfirmFooter(f)
		}},
	}
	for _, k := range kinds {
		accepted := 0
		for range dtest.Rounds(t, 20_000) {
			b := bytes.Clone(k.bytes)
			for range 1 + r.IntN(3) {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
			read, second := k.confirm(b)
			if second != nil {
				t.Fatalf("%x: %v", b, second)
			}
			if read == nil {
				accepted++
			}
		}
		if accepted < 100 {
			t.Errorf("%x: %d altered copies were read", k.bytes, accepted)
		}
	}
	b, _ := hex.DecodeString("190f16081514160000161c961464060000") // an empty list of a type that does not exist
	read, second := confirmed(ReadOffsetIndex)(b)
	isNamed(t, read, "")
	isNamed(t, second, "")
}

// confirmed returns what reads bytes, and then confirms what was read.
func confirmed[T PageHeader | ColumnIndex | OffsetIndex | BloomFilterHeader](read func([]byte, *T) (int, error)) func(b []byte) (read, second error) {
	return func(b []byte) (error, error) {
		var lean T
		if _, err := read(b, &lean); err != nil {
			return err, nil
		}
		return nil, Confirm(&lean, b)
	}
}

func TestConfirmFooter(t *testing.T) {
	b := encode(t, fullFooter())
	f, err := readEverything(b)
	if err != nil {
		t.Fatal(err)
	}
	isNamed(t, ConfirmFooter(f), "")
	f.Schema[1].Name = "another"
	isNamed(t, ConfirmFooter(f), `: Schema[1].Name is "another", not `)
	f, _ = readEverything(b)
	f.chunks[0], f.chunks[1] = f.chunks[1], f.chunks[0]
	isNamed(t, ConfirmFooter(f), "row group 0, column 0.")
}

// isNamed expects an error with this text, or none.
func isNamed(t *testing.T, err error, text string) {
	t.Helper()
	if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
		t.Errorf("%v, want %q", err, text)
	}
}
