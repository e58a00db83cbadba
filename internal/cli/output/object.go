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

// Object is a JSON object to which members are appended, one by one. Those of chunks and pages have
// methods for their types: a file may have many thousand, of which encoding/json would take half of
// the time.
type Object struct {
	Line []byte
	err  error // the first of Value
}

// Members appends members: names, each with its value behind it. One whose value is nil is left out.
func (o *Object) Members(list ...any) {
	for i := 0; i < len(list); i += 2 {
		name := list[i].(string)
		switch v := list[i+1].(type) {
		case nil:
		case string:
			o.Text(name, v)
		case int:
			o.Int(name, int64(v))
		case int64:
			o.Int(name, v)
		default:
			o.Name(name)
			o.Value(v)
		}
	}
}

// If returns a value, or nil where it is not known, which leaves a member out.
func If[T any](known bool, v T) any {
	if !known {
		return nil
	}
	return v
}

// OmitZero returns a value, or nil if it is the zero value of its type.
func OmitZero[T comparable](v T) any { return If(v != *new(T), v) }

// Name begins a member.
func (o *Object) Name(name string) {
	if o.Line[len(o.Line)-1] != '{' {
		o.Line = append(o.Line, ',')
	}
	o.Line = append(append(append(o.Line, '"'), name...), '"', ':')
}

func (o *Object) Int(name string, n int64) {
	o.Name(name)
	o.Line = strconv.AppendInt(o.Line, n, 10)
}

func (o *Object) IntIf(known bool, name string, n int64) {
	if known {
		o.Int(name, n)
	}
}

func (o *Object) FlagIf(known bool, name string, flag bool) {
	if known {
		o.Name(name)
		o.Line = strconv.AppendBool(o.Line, flag)
	}
}

func (o *Object) Text(name, text string) {
	o.Name(name)
	o.String(text)
}

func (o *Object) TextIf(known bool, name, text string) {
	if known {
		o.Text(name, text)
	}
}

// String appends a value without a name.
func (o *Object) String(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			o.Value(text)
			return
		}
	}
	o.Line = append(append(append(o.Line, '"'), text...), '"')
}

// Value appends what encoding/json writes for a value of any type, and null for one that JSON
// cannot have.
func (o *Object) Value(v any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		o.err = cmp.Or(o.err, err)
		b.WriteString("null")
	}
	o.Line = append(o.Line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// List appends a list. item appends one of its values.
func List[T any](o *Object, name string, list []T, item func(T)) {
	o.Name(name)
	o.Line = append(o.Line, '[')
	for i, v := range list {
		if i > 0 {
			o.Line = append(o.Line, ',')
		}
		item(v)
	}
	o.Line = append(o.Line, ']')
}

// ListIf is List, unless the list is empty.
func ListIf[T any](o *Object, name string, list []T, item func(T)) {
	if len(list) > 0 {
		List(o, name, list, item)
	}
}

// Item appends an object without a name.
func (o *Object) Item(members ...any) {
	o.Line = append(o.Line, '{')
	o.Members(members...)
	o.End()
}

func (o *Object) IntsIf(name string, list []int64) {
	ListIf(o, name, list, func(n int64) { o.Line = strconv.AppendInt(o.Line, n, 10) })
}

// Begin begins an object within this one. end ends it.
func (o *Object) Begin(name string) {
	o.Name(name)
	o.Line = append(o.Line, '{')
}

func (o *Object) End() { o.Line = append(o.Line, '}') }

// Valuer shows values of one type, from their bytes in PLAIN without length prefix.
// Bytes that are no value of the type, which a file may have, are shown in hex.
type Valuer struct {
	t          vector.Type
	text, json vector.Formatter
}

// NewValuer returns what shows values of a type.
func NewValuer(t vector.Type) *Valuer { return &Valuer{t, t.Text(), t.JSON()} }

// AppendText writes a value for people, as a table of rows does.
func (v *Valuer) AppendText(dst, plain []byte) []byte {
	if shown, ok := table.AppendPlain(dst, v.t, plain, true); ok {
		return shown
	}
	text, err := v.text.Append(dst, plain)
	if err != nil {
		return append(dst, "not a value: "+table.Hex0x(plain, 16)...)
	}
	return text
}

// AppendJSON writes a value for programs.
func (v *Valuer) AppendJSON(dst, plain []byte) json.RawMessage {
	js, err := v.json.Append(dst, plain)
	if err != nil {
		return strconv.AppendQuote(dst, table.Hex0x(plain, math.MaxInt))
	}
	return js
}
