package stored

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// Key is where a file's metadata have the Arrow schema.
const Key = "ARROW:schema"

// maxNotes bounds the notes of a file: one with thousands of bad columns is told by a few.
const maxNotes = 8

// Restore sets Stored of the nodes that the schema in text agrees with, and returns notes about the others. s is in
// use by nobody else yet.
func Restore(s *schema.Schema, text string) []string {
	of, err := open(text)
	if err != nil {
		return []string{Key + " is ignored: " + err.Error()}
	}
	r := restorer{of: of.buffer}
	root := &vector.Stored{Format: "+s"}
	root.MetadataKeys, root.MetadataValues = of.metadata(schemaMetadata)
	fields, columns := of.tables(schemaFields), s.Root().Children
	if fields.count != len(columns) && !of.broken {
		return []string{fmt.Sprintf("%s is ignored: it has %d fields, the file %d columns", Key, fields.count, len(columns))}
	}
	r.all = make([]vector.Stored, s.Len())
	for i := 0; i < len(columns) && !of.broken; i++ {
		r.agree(columns[i], fields.index(i), root, true)
	}
	if of.broken {
		return []string{Key + " is ignored: " + errBroken.Error()}
	}
	s.Root().Stored = root
	for i := range r.all {
		if r.all[i].Format != "" {
			s.Node(i).Stored = &r.all[i]
		}
	}
	return r.notes
}

type restorer struct {
	of    *buffer
	all   []vector.Stored // by node
	notes []string
}

// agree takes what field f says of node n and of those below it, until one disagrees. Items, keys and values have a name
// of their own in Arrow; others are named as in Parquet.
func (r *restorer) agree(n *schema.Node, f table, root *vector.Stored, named bool) {
	said := describe(f)
	if said.Schema = root; r.of.broken {
		return
	}
	children := f.tables(fieldChildren)
	below := partsOf(n)
	switch {
	case n.IsBare():
		r.note(n, "no writer of Arrow's makes such lists")
		return
	case named && said.Name != n.Name:
		r.note(n, fmt.Sprintf("the field there is %.64q", said.Name))
		return
	case !fits(n, &said):
		r.note(n, fmt.Sprintf("its type there is %.64q", said.Format))
		return
	case n.Kind == schema.Map && children.count == 1:
		children = children.index(0).tables(fieldChildren)
	}
	if children.count != len(below) {
		r.note(n, fmt.Sprintf("it has %d fields there", children.count))
		return
	}
	r.all[n.Index] = said
	for i := 0; i < len(below) && !r.of.broken; i++ {
		r.agree(below[i], children.index(i), root, n.Kind == schema.Struct)
	}
}

func (r *restorer) note(n *schema.Node, why string) {
	if len(r.notes) < maxNotes && !r.of.broken {
		r.notes = append(r.notes, fmt.Sprintf("%s is ignored for column %.64q: %s", Key, n.String(), why))
	}
}

// partsOf returns the nodes that are fields below the Arrow field of n.
func partsOf(n *schema.Node) []*schema.Node {
	switch n.Kind {
	case schema.List:
		return []*schema.Node{n.Item()}
	case schema.Map:
		return n.Children[0].Children
	}
	return n.Children
}

// The formats that columns of a type may have come of. Units may differ where Parquet lacks Arrow's, or the writer was
// told so.
var (
	lists    = []string{"+l", "+L", "+vl", "+vL"}
	texts    = []string{"u", "U", "vu"}
	binaries = []string{"z", "Z", "vz"}

	ofLogical = map[vector.Logical][]string{
		vector.Null: {"n"}, vector.Date: {"tdD", "tdm"}, vector.Time: {"tts", "ttm", "ttu", "ttn"}, vector.Float16: {"e"},
		vector.String: texts, vector.Enum: texts, vector.JSON: append(texts, binaries...), vector.Timestamp: {},
	}
	ofPhysical = map[vector.Physical][]string{
		vector.Boolean: {"b"}, vector.Float: {"f"}, vector.Double: {"g"}, vector.ByteArray: binaries, vector.Int32: {"i"},
		vector.Int64: {"l", "I"}, // files of the format's first version have UINT_32 so
	}
)

// fits reports whether a column may have come of a field with this type.
func fits(n *schema.Node, s *vector.Stored) bool {
	f := s.Format
	switch n.Kind {
	case schema.Map:
		return f == "+m"
	case schema.Struct:
		return f == "+s"
	case schema.List:
		size, fixed := strings.CutPrefix(f, "+w:")
		return slices.Contains(lists, f) || fixed && !strings.HasPrefix(size, "-")
	}
	return fitsLeaf(f, n.Type)
}

func fitsLeaf(f string, t vector.Type) bool {
	if strings.HasPrefix(f, "ts") && len(f) >= 4 {
		zone := f[4:]
		return f[2] != '?' && validZone(zone) && (t.Physical == vector.Int96 || t.Logical == vector.Timestamp && t.UTC == (zone != ""))
	}
	if plain := t.Logical == vector.None || t.Logical == vector.Integer && t.Signed; strings.HasPrefix(f, "tD") {
		return t.Physical == vector.Int64 && plain && f != "tD?"
	}
	switch t.Logical {
	case vector.Decimal:
		digits, bits, _ := strings.Cut(strings.TrimPrefix(f, "d:"), ",")
		scale, bits, _ := strings.Cut(bits, ",")
		return digits == strconv.Itoa(int(t.Precision)) && scale == strconv.Itoa(int(t.Scale)) && slices.Contains([]string{"", "32", "64", "256"}, bits)
	case vector.Integer:
		return f == integer(int32(t.Bits), t.Signed)
	}
	if formats, ok := ofLogical[t.Logical]; ok {
		return slices.Contains(formats, f)
	}
	return slices.Contains(ofPhysical[t.Physical], f) || t.Physical == vector.FixedLenByteArray && f == "w:"+strconv.Itoa(int(t.Length))
}

// validZone reports whether s could be the name of a time zone, as in Europe/Berlin, Etc/GMT+2 and +05:30.
func validZone(s string) bool {
	const usual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_+-:"
	return len(s) <= 64 && strings.Trim(s, usual) == ""
}
