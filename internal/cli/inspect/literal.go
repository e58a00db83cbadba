package inspect

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/thrift"
)

// plainValue returns the bytes in PLAIN, without length prefix, of the value that a text in quotes
// stands for where --where compares it with a leaf; nil for NaN, which equals nothing.
func plainValue(element thrift.SchemaElement, text string) ([]byte, error) {
	// The leaf by itself: lists around it and columns of the same name are not in the way.
	element.Repetition = thrift.Required
	alone, err := schema.New([]thrift.SchemaElement{{Name: "schema", NumChildren: 1, HasNumChildren: true}, element})
	if err != nil {
		return nil, err
	}
	t := alone.Leaves()[0].Type
	value, err := constant(t, text)
	if err != nil {
		return nil, err
	}
	program, err := compile.Bind(filter.Col(alone.Leaves()[0].String()).Eq(value), alone, nil)
	if wrong := (*filter.Error)(nil); errors.As(err, &wrong) {
		return nil, errors.New(wrong.Msg)
	}
	switch {
	case err != nil:
		return nil, err
	case strings.EqualFold(text, "NaN") && program.Root.Op == compile.OpFalse:
		return nil, nil
	case program.Root.Op != compile.OpTest:
		return nil, errors.New("not a value of " + t.String())
	}
	keys, _ := program.Root.Test.Keys()
	if len(keys) != 1 {
		return nil, nil
	}
	_, err = vector.PlainOf(t, keys[0]) // of another length, it is none
	return keys[0], err
}

// constant returns what --where compares with values of type t. Bytes may be in hex, as X'…' and 0x….
func constant(t vector.Type, text string) (any, error) {
	digits, isHex := strings.CutPrefix(text, "0x")
	if inside, is := strings.CutPrefix(text, "X'"); is && strings.HasSuffix(inside, "'") {
		digits, isHex = strings.TrimSuffix(inside, "'"), true
	}
	if !isHex || t.Logical == vector.String || t.Physical != vector.ByteArray && t.Physical != vector.FixedLenByteArray {
		return text, nil
	}
	return hex.DecodeString(digits)
}
