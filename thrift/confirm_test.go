package thrift

import (
	"strings"
	"testing"
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
	isNamed(t, Confirm(&h, b[:3]), "it refuses the bytes: error reading field 2: EOF")

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
