package vector

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Validate returns an error if v, or a vector below it, breaks a rule of Vector's
// comment. It tests every slot: it is for tests and the invariants build.
func (v *Vector) Validate() error {
	n := v.storedSlots()
	switch {
	case v.Len < 0:
		return errors.New("negative length")
	case len(v.Validity) > 0 && len(v.Validity) < bits.Words(n):
		return tooFew("validity", len(v.Validity), bits.Words(n))
	case (v.Layout == Leaf) == (v.Type.Physical == Group):
		return errors.New("layout does not fit " + v.Type.String())
	case v.Form == Dictionary && v.Layout != Leaf:
		return errors.New("dictionary of a nested vector")
	case v.Layout == Leaf && len(v.Children) > 0:
		return errors.New("leaf with children")
	case v.Layout == Leaf && v.Form == Dictionary:
		return v.validateCodes()
	case v.Layout == Leaf:
		return v.validateLeaf(n)
	case v.Layout == Struct:
		return v.validateChildren(n)
	}
	if most := 1 + int(v.Layout-List); len(v.Children) < 1 || len(v.Children) > most {
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
	return v.validateChildren(int(v.Offsets[n]))
}

func (v *Vector) validateChildren(n int) error {
	for i, c := range v.Children {
		if c.Len != n {
			return errors.New("child " + strconv.Itoa(i) + " has " + strconv.Itoa(c.Len) + " slots where " + strconv.Itoa(n) + " are wanted")
		}
		if err := c.Validate(); err != nil {
			return errors.New("child " + strconv.Itoa(i) + ": " + err.Error())
		}
	}
	return nil
}

func (v *Vector) validateCodes() error {
	if v.Dict == nil {
		return errors.New("no dictionary")
	}
	if v.Dict.Form != Flat || v.Dict.Layout != Leaf || len(v.Dict.Validity) > 0 || v.Dict.Type != v.Type {
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
	if err := v.Dict.Validate(); err != nil {
		return errors.New("dictionary: " + err.Error())
	}
	return nil
}

func (v *Vector) validateLeaf(n int) error {
	have, want, store := 0, n, ""
	switch v.Type.Store() {
	case InBools:
		have, want, store = len(v.Bools), bits.Words(n), "booleans"
	case InInt32s:
		have, store = len(v.Int32s), "int32s"
	case InInt64s:
		have, store = len(v.Int64s), "int64s"
	case InFloats:
		have, store = len(v.Floats), "floats"
	case InDoubles:
		have, store = len(v.Doubles), "doubles"
	case InFixed:
		have, want, store = len(v.Fixed), n*v.Type.Width(), "fixed values"
	case InViews:
		have, store = len(v.Views), "views"
	}
	if have < want {
		return tooFew(store, have, want)
	}
	for i := range n {
		if v.IsNull(i) && !v.isZero(i) {
			return errors.New("value in the NULL slot " + strconv.Itoa(i))
		}
		if v.Type.Store() != InViews || v.Views[i].IsInline() {
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
func (v *Vector) isZero(i int) bool {
	switch v.Type.Store() {
	case InFloats:
		return v.Floats[i] == 0 // -0 as well
	case InDoubles:
		return v.Doubles[i] == 0
	case InViews:
		return v.Views[i] == bits.View{}
	}
	var room [MaxFixed]byte
	return len(bytes.Trim(v.appendPlain(room[:0], i), "\x00")) == 0
}

// Validate returns an error if a column of b is invalid or does not match its Field.
func (b *Batch) Validate() error {
	if len(b.Columns) != len(b.Fields) {
		return tooFew("columns", len(b.Columns), len(b.Fields))
	}
	for i, v := range b.Columns {
		err := v.Validate()
		switch {
		case err != nil:
		case v.Len != b.Len:
			err = tooFew("rows", v.Len, b.Len)
		default:
			err = b.Fields[i].fits(v, 0)
		}
		if err != nil {
			return errors.New("column " + strconv.Quote(b.Fields[i].Name) + ": " + err.Error())
		}
	}
	return nil
}

// fits returns an error if v does not match f. The slots of NULL structs may be
// NULL even if f is not Nullable; above is the number of NULLs of the struct above.
func (f *Field) fits(v *Vector, above int) error {
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
	if above = 0; v.Layout == Struct {
		above = v.Nulls()
	}
	for i, c := range v.Children {
		if err := f.Children[i].fits(c, above); err != nil {
			return errors.New(strconv.Quote(f.Children[i].Name) + ": " + err.Error())
		}
	}
	return nil
}

// tooFew returns an error: there are have of what, but want are needed.
func tooFew(what string, have, want int) error {
	return errors.New(strconv.Itoa(have) + " " + what + " where " + strconv.Itoa(want) + " are wanted")
}
