package output

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Members are those of a JSON object: names, each with its value behind it. One whose value is nil
// is left out. A value may be an object, of type Members, or a list of them.
type Members []any

// If returns a value, or nil where it is not known, which leaves a member out.
func If[T any](known bool, v T) any {
	if !known {
		return nil
	}
	return v
}

// OmitZero returns a value, or nil if it is the zero value of its type.
func OmitZero[T comparable](v T) any { return If(v != *new(T), v) }

// encoder writes values as JSON, those of chunks and pages by itself: a file may have many
// thousand, of which encoding/json would take half of the time.
type encoder struct {
	text []byte
	err  error // the first of a value that JSON cannot have
}

func (e *encoder) object(list Members) {
	e.text = append(e.text, '{')
	for i := 0; i < len(list); i += 2 {
		if list[i+1] == nil {
			continue
		}
		if e.text[len(e.text)-1] != '{' {
			e.text = append(e.text, ',')
		}
		e.text = append(append(append(e.text, '"'), list[i].(string)...), '"', ':')
		e.value(list[i+1])
	}
	e.text = append(e.text, '}')
}

// value appends a value: null in place of one that JSON cannot have.
func (e *encoder) value(v any) {
	switch v := v.(type) {
	case string:
		e.string(v)
	case int:
		e.text = strconv.AppendInt(e.text, int64(v), 10)
	case int32:
		e.text = strconv.AppendInt(e.text, int64(v), 10)
	case int64:
		e.text = strconv.AppendInt(e.text, v, 10)
	case bool:
		e.text = strconv.AppendBool(e.text, v)
	case json.RawMessage:
		e.text = append(e.text, v...)
	case Members:
		e.object(v)
	case []Members:
		appendList(e, v, e.object)
	case []string:
		appendList(e, v, e.string)
	case []int64:
		appendList(e, v, func(n int64) { e.text = strconv.AppendInt(e.text, n, 10) })
	default:
		e.any(v)
	}
}

func appendList[T any](e *encoder, list []T, item func(T)) {
	e.text = append(e.text, '[')
	for i, v := range list {
		if i > 0 {
			e.text = append(e.text, ',')
		}
		item(v)
	}
	e.text = append(e.text, ']')
}

func (e *encoder) string(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			e.any(text)
			return
		}
	}
	e.text = append(append(append(e.text, '"'), text...), '"')
}

// any appends what encoding/json writes.
func (e *encoder) any(v any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		e.err = cmp.Or(e.err, err)
		b.WriteString("null")
	}
	e.text = append(e.text, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// Valuer shows values of one type, from their bytes in PLAIN without length prefix.
// Bytes that are no value of the type, which a file may have, are shown in hex.
type Valuer struct {
	t          vector.Type
	text, json vector.Formatter
}

// NewValuer returns what shows values of a type.
func NewValuer(t vector.Type) *Valuer { return &Valuer{t, t.Text(), t.JSON()} }

// Text writes a value for people, as a table of rows does.
func (v *Valuer) Text(plain []byte) string {
	if shown, ok := table.AppendPlain(nil, v.t, plain, true); ok {
		return string(shown)
	}
	text, err := v.text.Append(nil, plain)
	if err != nil {
		return "not a value: " + table.Hex0x(plain, 16)
	}
	return string(text)
}

// JSON writes a value for programs.
func (v *Valuer) JSON(plain []byte) json.RawMessage {
	js, err := v.json.Append(nil, plain)
	if err != nil {
		return strconv.AppendQuote(nil, table.Hex0x(plain, math.MaxInt))
	}
	return js
}

// jsonRows writes an object a row: a line each, or all of them as one array.
type jsonRows struct {
	r       *Report
	out     table.Lines
	objects *vector.Rows
}

func newJSONRows(r *Report) (RowWriter, error) {
	return &jsonRows{r: r, out: table.Lines{To: r}}, nil
}

func (w *jsonRows) Columns(_ string, fields []vector.Field) error {
	w.objects = vector.JSONRows(fields)
	return nil
}

func (w *jsonRows) Rows(b *vector.Batch, from, to int) error {
	w.objects.Use(b)
	array := w.r.Format.Name == formatJSON
	for i := from; i < to; i++ {
		if array {
			w.out.Buf = append(w.out.Buf, w.r.separator()...)
		}
		var err error
		if w.out.Buf, err = w.objects.Append(w.out.Buf, i); err != nil {
			return err
		}
		if !array {
			w.out.Buf = append(w.out.Buf, '\n')
		}
		if err := w.out.Break(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

func (w *jsonRows) Finish() error { return nil }
