package stored

import (
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
		return []string{Key + " is ignored: it has " + strconv.Itoa(fields.count) + " fields, the file " + strconv.Itoa(len(columns)) + " columns"}
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
		r.note(n, "the field there is "+strconv.Quote(short(said.Name)))
		return
	case !fits(n, &said):
		r.note(n, "its type there is "+strconv.Quote(short(said.Format)))
		return
	case n.Kind == schema.Map && children.count == 1:
		children = children.index(0).tables(fieldChildren)
	}
	if children.count != len(below) {
		r.note(n, "it has "+strconv.Itoa(children.count)+" fields there")
		return
	}
	r.all[n.Index] = said
	for i := 0; i < len(below) && !r.of.broken; i++ {
		r.agree(below[i], children.index(i), root, n.Kind == schema.Struct)
	}
}

func (r *restorer) note(n *schema.Node, why string) {
	if len(r.notes) < maxNotes && !r.of.broken {
		r.notes = append(r.notes, Key+" is ignored for column "+short(n.String())+": "+why)
	}
}

// short bounds what a file may write into a note.
func short(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), 64)], "")
}

// partsOf returns the nodes that are fields below the Arrow field of n.
func partsOf(n *schema.Node) []*schema.Node {
	switch n.Kind {
	case schema.List:
		return []*schema.Node{n.Item()}
	case schema.Map:
		return n.Children[0].Children
	case schema.Leaf:
		return nil
	}
	return n.Children
}

// Types that differ only in the layout of their values.
var (
	lists    = []string{"+l", "+L", "+vl", "+vL"}
	texts    = []string{"u", "U", "vu"}
	binaries = []string{"z", "Z", "vz"}
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

// fitsLeaf is fits for a leaf. Units may differ where Parquet lacks Arrow's, or the writer was told so.
func fitsLeaf(f string, t vector.Type) bool {
	if unit, is := strings.CutPrefix(f, "tD"); is {
		return plainInt64(t) && unit != "?"
	}
	if strings.HasPrefix(f, "ts") && len(f) >= 4 {
		zone := f[4:]
		return f[2] != '?' && validZone(zone) && (t.Physical == vector.Int96 || t.Logical == vector.Timestamp && t.UTC == (zone != ""))
	}
	switch t.Logical {
	case vector.Null:
		return f == "n"
	case vector.Decimal:
		digits := strconv.Itoa(int(t.Precision)) + "," + strconv.Itoa(int(t.Scale))
		return f == "d:"+digits || f == "d:"+digits+",32" || f == "d:"+digits+",64" || f == "d:"+digits+",256"
	case vector.Date:
		return f == "tdD" || f == "tdm"
	case vector.Time:
		return strings.HasPrefix(f, "tt") && f != "tt?"
	case vector.Float16:
		return f == "e"
	case vector.String, vector.Enum:
		return slices.Contains(texts, f)
	case vector.JSON:
		return slices.Contains(texts, f) || slices.Contains(binaries, f)
	case vector.Integer:
		letters := map[uint8]string{8: "C", 16: "S", 32: "I", 64: "L"}[t.Bits]
		if t.Signed {
			letters = strings.ToLower(letters)
		}
		return f == letters
	case vector.Timestamp:
		return false
	}
	switch t.Physical {
	case vector.Boolean:
		return f == "b"
	case vector.Int32:
		return f == "i"
	case vector.Int64:
		return f == "l" || f == "I" // of files of the format's first version, which has no larger number without a sign
	case vector.Float:
		return f == "f"
	case vector.Double:
		return f == "g"
	case vector.ByteArray:
		return slices.Contains(binaries, f)
	case vector.FixedLenByteArray:
		return f == "w:"+strconv.Itoa(int(t.Length))
	}
	return false
}

func plainInt64(t vector.Type) bool {
	return t.Physical == vector.Int64 && (t.Logical == vector.None || t.Logical == vector.Integer && t.Signed)
}

// validZone reports whether s could be the name of a time zone, as in Europe/Berlin, Etc/GMT+2 and +05:30.
func validZone(s string) bool {
	const most = 64
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/_+-:", c) >= 0) {
			return false
		}
	}
	return len(s) <= most
}
