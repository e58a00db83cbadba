package output

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Object is a JSON object to which members are appended, one by one. Chunks and pages are
// written so: a file may have many thousand, of which encoding/json would take half of the time.
type Object struct{ Line []byte }

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

// Value appends what encoding/json writes for a value of any type.
func (o *Object) Value(v any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // no caller has a type that JSON cannot have
	}
	o.Line = append(o.Line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// ListIf appends a list, unless it is empty. item appends one of its values.
func ListIf[T any](o *Object, name string, list []T, item func(T)) {
	for i, v := range list {
		if i == 0 {
			o.Name(name)
			o.Line = append(o.Line, '[')
		} else {
			o.Line = append(o.Line, ',')
		}
		item(v)
	}
	if len(list) > 0 {
		o.Line = append(o.Line, ']')
	}
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
