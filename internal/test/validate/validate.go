package validate

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Vector returns an error if v, or a vector below it, breaks a rule of vector.Vector's comment.
func Vector(v *vector.Vector) error {
	n := v.Len
	if v.Form == vector.Constant {
		n = min(n, 1)
	}
	switch {
	case v.Len < 0:
		return errors.New("negative length")
	case len(v.Validity) > 0 && len(v.Validity) < bits.Words(n):
		return tooFew("validity", len(v.Validity), bits.Words(n))
	case (v.Layout == vector.Leaf) == (v.Type.Physical == vector.Group):
		return errors.New("layout does not fit " + v.Type.String())
	case v.Form == vector.Dictionary && v.Layout != vector.Leaf:
		return errors.New("dictionary of a nested vector")
	case v.Layout == vector.Leaf && len(v.Children) > 0:
		return errors.New("leaf with children")
	case v.Layout == vector.Leaf && v.Form == vector.Dictionary:
		return validateCodes(v)
	case v.Layout == vector.Leaf:
		return validateLeaf(v, n)
	case v.Layout == vector.Struct:
		return validateChildren(v, n)
	}
	if most := 1 + int(v.Layout-vector.List); len(v.Children) < 1 || len(v.Children) > most {
		return tooFew("children", len(v.Children), most)
	}
	if len(v.Offsets) < n+1 {
		return tooFew("offsets", len(v.Offsets), n+1)
	}
	if v.Offsets[0] != 0 {
		return errors.New("offsets begin with " + strconv.Itoa(int(v.Offsets[0])))
	}
	for i := range n {
		switch items := v.Offsets[i+1] - v.Offsets[i]; {
		case items < 0:
			return errors.New("offsets fall at slot " + strconv.Itoa(i))
		case items > 0 && v.IsNull(i):
			return errors.New("NULL with items at slot " + strconv.Itoa(i))
		}
	}
	return validateChildren(v, int(v.Offsets[n]))
}

func validateChildren(v *vector.Vector, n int) error {
	for i, c := range v.Children {
		if c.Len != n {
			return errors.New("child " + strconv.Itoa(i) + " has " + strconv.Itoa(c.Len) + " slots where " + strconv.Itoa(n) + " are wanted")
		}
		if err := Vector(c); err != nil {
			return errors.New("child " + strconv.Itoa(i) + ": " + err.Error())
		}
	}
	return nil
}

func validateCodes(v *vector.Vector) error {
	if v.Dict == nil {
		return errors.New("no dictionary")
	}
	if v.Dict.Form != vector.Flat || v.Dict.Layout != vector.Leaf || len(v.Dict.Validity) > 0 || v.Dict.Type != v.Type {
		return errors.New("dictionary that is not flat, has NULLs or another type")
	}
	if len(v.Codes) < v.Len {
		return tooFew("codes", len(v.Codes), v.Len)
	}
	for i, c := range v.Codes[:v.Len] {
		if v.IsNull(i) && c != 0 || !v.IsNull(i) && int64(c) >= int64(v.Dict.Len) {
			return errors.New("code " + strconv.FormatUint(uint64(c), 10) + " at slot " + strconv.Itoa(i))
		}
	}
	if err := Vector(v.Dict); err != nil {
		return errors.New("dictionary: " + err.Error())
	}
	return nil
}

func validateLeaf(v *vector.Vector, n int) error {
	have, want, store := 0, n, ""
	switch v.Type.Store() {
	case vector.InBools:
		have, want, store = len(v.Bools), bits.Words(n), "booleans"
	case vector.InInt32s:
		have, store = len(v.Int32s), "int32s"
	case vector.InInt64s:
		have, store = len(v.Int64s), "int64s"
	case vector.InFloats:
		have, store = len(v.Floats), "floats"
	case vector.InDoubles:
		have, store = len(v.Doubles), "doubles"
	case vector.InFixed:
		have, want, store = len(v.Fixed), n*v.Type.Width(), "fixed values"
	case vector.InViews:
		have, store = len(v.Views), "views"
	}
	if have < want {
		return tooFew(store, have, want)
	}
	for i := range n {
		if v.IsNull(i) && !isZero(v, i) {
			return errors.New("value in the NULL slot " + strconv.Itoa(i))
		}
		if v.Type.Store() != vector.InViews || v.Views[i].IsInline() {
			continue
		}
		buffer, offset := v.Views[i].Ref()
		if buffer < 0 || int(buffer) >= len(v.Buffers) || offset < 0 || int64(offset)+int64(v.Views[i].Len()) > int64(len(v.Buffers[buffer])) {
			return errors.New("view outside of the buffers at slot " + strconv.Itoa(i))
		}
		if v.Views[i].Head() != bits.MakeRef(v.Bytes(i), buffer, offset).Head() {
			return errors.New("view with another prefix than its string at slot " + strconv.Itoa(i))
		}
	}
	return nil
}

// isZero reports whether slot i of a flat leaf is zero, as NULL slots must be.
func isZero(v *vector.Vector, i int) bool {
	switch v.Type.Store() {
	case vector.InBools:
		return !bits.Get(v.Bools, i)
	case vector.InInt32s:
		return v.Int32s[i] == 0
	case vector.InInt64s:
		return v.Int64s[i] == 0
	case vector.InFloats:
		return v.Floats[i] == 0 // -0 as well
	case vector.InDoubles:
		return v.Doubles[i] == 0
	case vector.InViews:
		return v.Views[i] == bits.View{}
	}
	return len(bytes.Trim(v.Bytes(i), "\x00")) == 0
}

// Batch returns an error if a column of b is invalid or does not match its Field.
func Batch(b *vector.Batch) error {
	if len(b.Columns) != len(b.Fields) {
		return tooFew("columns", len(b.Columns), len(b.Fields))
	}
	for i, v := range b.Columns {
		err := Vector(v)
		switch {
		case err != nil:
		case v.Len != b.Len:
			err = tooFew("rows", v.Len, b.Len)
		default:
			err = fits(&b.Fields[i], v, 0)
		}
		if err != nil {
			return errors.New("column " + strconv.Quote(b.Fields[i].Name) + ": " + err.Error())
		}
	}
	return nil
}

// fits returns an error if v does not match f. The slots of NULL structs may be
// NULL even if f is not Nullable; above is the number of NULLs of the struct above.
func fits(f *vector.Field, v *vector.Vector, above int) error {
	switch {
	case v.Type != f.Type:
		return errors.New("type " + v.Type.String() + " where " + f.Type.String() + " is wanted")
	case v.Layout != f.Layout:
		return errors.New("another layout than the field's")
	case !f.Nullable && v.Nulls() > above:
		return errors.New("NULL where there is none")
	case len(v.Children) != len(f.Children):
		return tooFew("children", len(v.Children), len(f.Children))
	}
	if above = 0; v.Layout == vector.Struct {
		above = v.Nulls()
	}
	for i, c := range v.Children {
		if err := fits(&f.Children[i], c, above); err != nil {
			return errors.New(strconv.Quote(f.Children[i].Name) + ": " + err.Error())
		}
	}
	return nil
}

// tooFew returns an error: there are have of what, but want are needed.
func tooFew(what string, have, want int) error {
	return errors.New(strconv.Itoa(have) + " " + what + " where " + strconv.Itoa(want) + " are wanted")
}
