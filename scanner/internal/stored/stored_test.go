package stored

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/thrift"
)

// sample returns the elements and the Arrow schema of testdata/types.parquet, which adapters/python's test_types.py writes.
func sample(t testing.TB) (elements []thrift.SchemaElement, text string) {
	data, err := os.ReadFile("testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - 8
	footer, err := thrift.ParseFooter(data[end-int(binary.LittleEndian.Uint32(data[end:])) : end])
	if err != nil {
		t.Fatal(err)
	}
	properties, err := footer.KeyValues.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(properties, func(p thrift.KeyValue) bool { return p.Key == Key })
	return footer.Schema, properties[i].Value
}

// restore returns the tree of elements with what text says of it.
func restore(t testing.TB, elements []thrift.SchemaElement, text string) (*schema.Schema, []string) {
	s, err := schema.New(elements)
	if err != nil {
		t.Fatal(err)
	}
	return s, Restore(s, text)
}

// TestRestore has pyarrow as the writer; adapters/arrow compares all of it with what Arrow's own reader of messages says.
func TestRestore(t *testing.T) {
	s, notes := restore(t, sampleOf(t), sampleText(t))
	if len(notes) > 0 {
		t.Error(notes)
	}
	for _, c := range []struct{ column, want string }{
		{"duration[us]", "tDu"}, {"timestamp[s, tz=Europe/Berlin]", "tss:Europe/Berlin"}, {"timestamp[ns]", "tsn:"},
		{"dictionary<values=string, indices=int8, ordered=1>", "u c ordered"}, {"dictionary<values=string, indices=uint32, ordered=0>", "u I"},
		{"fixed_size_list<thing: int32 not null>[2]", "+w:2"}, {"large_list_view<thing: int32 not null>", "+vL"}, {"string_view", "vu"},
		{"decimal256(12, 2)", "d:12,2,256"}, {"decimal32(5, 2)", "d:5,2,32"}, {"halffloat", "e"}, {"fixed_size_binary[2]", "w:2"},
		{"map<large_string, duration[ms], keys_sorted>", "+m ordered"}, {"time32[s]", "tts"}, {"date64[ms]", "tdm"},
	} {
		i := slices.IndexFunc(s.Root().Children, func(n *schema.Node) bool { return n.Name == c.column })
		if i < 0 || s.Root().Children[i].Stored == nil {
			t.Errorf("%s: nothing is stored", c.column)
			continue
		}
		f := s.Root().Children[i].Stored
		got := strings.TrimSpace(f.Format + " " + f.Indices)
		if f.Ordered {
			got += " ordered"
		}
		if got != c.want || f.MetadataKeys[0] != "k" || f.MetadataValues[0] != "v" || f.Schema.MetadataValues[0] != "n" {
			t.Errorf("%s: %+v, want %s", c.column, f, c.want)
		}
	}
	item := s.Root().Children[slices.IndexFunc(s.Root().Children, func(n *schema.Node) bool { return n.Name == "list<thing: int32 not null>" })].Item()
	if item.Name != "element" || item.Stored.Name != "thing" {
		t.Errorf("item %s is stored as %s", item.Name, item.Stored.Name)
	}
}

func sampleOf(t testing.TB) []thrift.SchemaElement { e, _ := sample(t); return e }
func sampleText(t testing.TB) string               { _, s := sample(t); return s }

// TestLies changes the file under an Arrow schema that stays.
func TestLies(t *testing.T) {
	find := func(e []thrift.SchemaElement, name string) *thrift.SchemaElement {
		return &e[slices.IndexFunc(e, func(e thrift.SchemaElement) bool { return e.Name == name })]
	}
	for _, c := range []struct {
		column, want string
		change       func(e *thrift.SchemaElement)
	}{
		{"duration[us]", `its type there is "tDu"`, func(e *thrift.SchemaElement) { e.Type = thrift.TypeDouble }},
		{"timestamp[us, tz=UTC]", `its type there is "tsu:UTC"`, func(e *thrift.SchemaElement) { e.Logical.AdjustedToUTC = false }},
		{"timestamp[us]", `its type there is "tsu:"`, func(e *thrift.SchemaElement) { e.Logical.AdjustedToUTC = true }},
		{"string_view", `its type there is "vu"`, func(e *thrift.SchemaElement) { e.Logical, e.HasConverted = thrift.LogicalType{}, false }},
		{"fixed_size_binary[2]", `its type there is "w:2"`, func(e *thrift.SchemaElement) { e.TypeLength = 3 }},
		{"decimal256(12, 2)", `its type there is "d:12,2,256"`, func(e *thrift.SchemaElement) { e.Logical.Scale = 3 }},
		{"int8", `the field there is "int8"`, func(e *thrift.SchemaElement) { e.Name = "other" }},
		{"list<thing: int32 not null>", `its type there is "+l"`, func(e *thrift.SchemaElement) { e.Logical, e.HasConverted = thrift.LogicalType{}, false }},
		{"bool", "no writer of Arrow's makes such lists", func(e *thrift.SchemaElement) { e.Repetition = thrift.Repeated }},
	} {
		elements, text := sample(t)
		e := find(elements, c.column)
		c.change(e)
		s, notes := restore(t, elements, text)
		if len(notes) != 1 || !strings.HasSuffix(notes[0], c.want) || s.Root().Stored == nil {
			t.Errorf("%s: notes %q, want %s", c.column, notes, c.want)
		}
		for i := range s.Root().Children {
			if n := s.Root().Children[i]; (n.Stored == nil) != (n.Name == e.Name) {
				t.Errorf("%s: what of %s is stored is %v", c.column, n.Name, n.Stored)
			}
		}
	}
}

// TestBroken has texts of which nothing can be used.
func TestBroken(t *testing.T) {
	elements, text := sample(t)
	sound, _ := base64.StdEncoding.DecodeString(text)
	for name, b := range map[string][]byte{
		"empty": {}, "short": sound[:9], "half": sound[:len(sound)/2], "zeros": make([]byte, 4096),
		"marked": slices.Concat([]byte{255, 255, 255, 255}, make([]byte, 4)), "to itself": {8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0},
		"shared keys": sharing(), "ones": bytes.Repeat([]byte{255}, 4096),
	} {
		s, notes := restore(t, elements, base64.StdEncoding.EncodeToString(b))
		if len(notes) != 1 || !strings.Contains(notes[0], "its bytes are no schema message") || s.Root().Stored != nil {
			t.Errorf("%s: %q", name, notes)
		}
	}
	for text, want := range map[string]string{"?": "it is no base64", "": "its bytes are no schema message"} {
		if _, notes := restore(t, elements, text); len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
			t.Errorf("%q: %q, want %s", text, notes, want)
		}
	}
}

// sharing returns a schema with 100,000 keys that are all in one place, of 10,000 bytes each: a gigabyte if copied.
func sharing() []byte {
	const keys, size, pair = 100_000, 10_000, 52 + 4*100_000 + 8
	words := func(all ...uint32) (b []byte) {
		for _, n := range all {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return b
	}
	vectors := words(keys)
	for i := range keys {
		vectors = append(vectors, words(uint32(pair-(52+4*i)))...)
	}
	return slices.Concat(
		words(0, 16), // the message's size, and behind it the place of the root
		[]byte{10, 0, 12, 0, 0, 0, 4, 0, 8, 0, 0, 0}, words(12, schemaHeader, 16), // Message: its vtable at 4, header at 40
		[]byte{10, 0, 8, 0, 0, 0, 0, 0, 4, 0, 0, 0}, words(12, 4), vectors, // Schema: its vtable at 28, metadata at 48
		[]byte{8, 0, 12, 0, 4, 0, 4, 0}, words(8, 4, size), make([]byte, size), // KeyValue: key and value are one text
	)
}

// TestMutations damages the bytes: what is left agrees with the columns, and takes no more memory than the bytes justify.
func TestMutations(t *testing.T) {
	elements, text := sample(t)
	sound, _ := base64.StdEncoding.DecodeString(text)
	r, used, all := rand.New(rand.NewPCG(1, 2)), 0, dtest.Rounds(t, 20000)
	for range all {
		if check(t, elements, dtest.Damaged(r, sound)) {
			used++
		}
	}
	t.Logf("%d of %d are used in part", used, all)
	if used < all/100 || used > all*99/100 {
		t.Error("want some of each")
	}
}

// check restores bytes and reports whether something came of them.
func check(t testing.TB, elements []thrift.SchemaElement, b []byte) bool {
	s, notes := restore(t, elements, base64.StdEncoding.EncodeToString(b))
	size, left := 0, 4*len(b)+1<<16
	for i := range s.Len() {
		n := s.Node(i)
		if n.Stored == nil {
			continue
		}
		for i, key := range n.Stored.MetadataKeys {
			size += len(key) + len(n.Stored.MetadataValues[i])
		}
		if size += len(n.Stored.Name); i > 0 && !fits(n, n.Stored) || size > left {
			t.Errorf("%s is stored as %+v", n, n.Stored)
		}
	}
	if len(notes) > maxNotes {
		t.Errorf("%d notes", len(notes))
	}
	return s.Root().Stored != nil
}

func FuzzRestore(f *testing.F) {
	elements, text := sample(f)
	sound, _ := base64.StdEncoding.DecodeString(text)
	f.Add(sound)
	f.Add(sharing())
	f.Fuzz(func(t *testing.T, b []byte) { check(t, elements, b) })
}
