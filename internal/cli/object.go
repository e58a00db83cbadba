package cli

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// object is a JSON object to which members are appended, one by one. Chunks and pages are
// written so: a file may have many thousand, of which encoding/json would take half of the time.
type object struct{ line []byte }

// name begins a member.
func (o *object) name(name string) {
	if o.line[len(o.line)-1] != '{' {
		o.line = append(o.line, ',')
	}
	o.line = append(append(append(o.line, '"'), name...), '"', ':')
}

func (o *object) int(name string, n int64) {
	o.name(name)
	o.line = strconv.AppendInt(o.line, n, 10)
}

func (o *object) intIf(known bool, name string, n int64) {
	if known {
		o.int(name, n)
	}
}

func (o *object) flagIf(known bool, name string, flag bool) {
	if known {
		o.name(name)
		o.line = strconv.AppendBool(o.line, flag)
	}
}

func (o *object) text(name, text string) {
	o.name(name)
	o.string(text)
}

func (o *object) textIf(known bool, name, text string) {
	if known {
		o.text(name, text)
	}
}

// string appends a value without a name.
func (o *object) string(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			o.value(text)
			return
		}
	}
	o.line = append(append(append(o.line, '"'), text...), '"')
}

// value appends what encoding/json writes for a value of any type.
func (o *object) value(v any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // no caller has a type that JSON cannot have
	}
	o.line = append(o.line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// listIf appends a list, unless it is empty. item appends one of its values.
func listIf[T any](o *object, name string, list []T, item func(T)) {
	for i, v := range list {
		if i == 0 {
			o.name(name)
			o.line = append(o.line, '[')
		} else {
			o.line = append(o.line, ',')
		}
		item(v)
	}
	if len(list) > 0 {
		o.line = append(o.line, ']')
	}
}

func (o *object) intsIf(name string, list []int64) {
	listIf(o, name, list, func(n int64) { o.line = strconv.AppendInt(o.line, n, 10) })
}

// begin begins an object within this one. end ends it.
func (o *object) begin(name string) {
	o.name(name)
	o.line = append(o.line, '{')
}

func (o *object) end() { o.line = append(o.line, '}') }
