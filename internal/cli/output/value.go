package output

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

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
