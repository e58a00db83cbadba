package dataset

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// partition is a column whose values are in the paths of files, as Hive lays out tables:
//
//	sales/year=2024/city=S%C3%A3o%20Paulo/part-0.parquet      year: 2024, city: São Paulo
//	sales/year=2023/city=__HIVE_DEFAULT_PARTITION__/…         city: NULL
type partition struct {
	name   string
	typ    vector.Type
	texts  []*string       // by file; nil for NULL
	values []vector.Scalar // by file
}

// hiveNull stands for NULL in a path of Hive.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// partitionsOf returns the columns that the folders of names define. Their type is
// INT64 where all values are integers, DATE where all are dates, else STRING. A file
// whose path lacks a column has NULL there.
func partitionsOf(names []string) []partition {
	var found []partition
	number := map[string]int{}
	for file, name := range names {
		folders := strings.Split(name, "/")
		for _, folder := range folders[:len(folders)-1] {
			key, value, ok := strings.Cut(folder, "=")
			if !ok || key == "" {
				continue
			}
			key = unescape(key)
			at, known := number[key]
			if !known {
				at = len(found)
				number[key] = at
				found = append(found, partition{name: key, texts: make([]*string, len(names))})
			}
			text := &found[at].texts[file]
			*text = nil // of several folders with a name, the innermost counts
			if value != hiveNull {
				value = unescape(value)
				*text = &value
			}
		}
	}
	for i := range found {
		found[i].setCommonType()
	}
	return found
}

// setType converts the values to a type, and reports whether all of them have it.
func (p *partition) setType(t vector.Type) bool {
	p.typ, p.values = t, nil
	for _, text := range p.texts {
		v, ok := constantOf(t, text)
		if !ok {
			return false
		}
		p.values = append(p.values, v)
	}
	return true
}

// unescape decodes escapes such as %41; a % without two hex digits stays.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func dateType() vector.Type { return vector.Type{Physical: vector.Int32, Logical: vector.Date} }
func textType() vector.Type { return vector.Type{Physical: vector.ByteArray, Logical: vector.String} }

// setCommonType converts the values to the first of INT64, DATE and STRING that all texts fit. A
// nil text fits every type; if all are nil, the type is STRING.
func (p *partition) setCommonType() {
	some := slices.ContainsFunc(p.texts, func(text *string) bool { return text != nil })
	if !some || !p.setType(vector.Type{Physical: vector.Int64}) && !p.setType(dateType()) {
		p.setType(textType())
	}
}

// constantOf returns the value of a text, NULL for nil. ok reports whether the text is a
// value of the type.
func constantOf(t vector.Type, text *string) (v vector.Scalar, ok bool) {
	if text == nil {
		return vector.NullOf(t), true
	}
	n, err := int64(0), error(nil)
	switch isInteger := t.Logical == vector.None || t.Logical == vector.Integer && t.Signed && t.Bits >= 32; {
	case isInteger && (t.Physical == vector.Int64 || t.Physical == vector.Int32):
		n, err = strconv.ParseInt(*text, 10, 64)
	case t == dateType():
		var day time.Time
		day, err = time.Parse(time.DateOnly, *text)
		n = day.Unix() / 86400
	case t == textType():
		return vector.StringOf(*text), true
	default:
		return v, false
	}
	if err != nil || (*text)[0] == '+' {
		return v, false
	}
	v, err = vector.IntOf(t, n)
	return v, err == nil
}

// convertedTo returns the partition with the type that a host wants.
func (p *partition) convertedTo(w *scanner.Want) (partition, error) {
	wanted := *p
	if w.Layout != vector.Leaf || w.Type != p.typ && !wanted.setType(w.Type) {
		return *p, &project.Mismatch{Path: []string{w.Name}, What: "paths of files have " + p.typ.String() + ", " + project.Described(w.Layout, w.Type) + " is wanted"}
	}
	return wanted, nil
}

// constantsOf returns the values in the path of a file, by column path, for a filter.
func constantsOf(all []partition, file int) filter.Constants {
	constants := filter.Constants{}
	for i := range all {
		constants[schema.FormatPath([]string{all[i].name})] = all[i].values[file]
	}
	return constants
}
