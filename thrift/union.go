package thrift

import "math/bits"

// Arm is the arm of a union that is set: its field id, known or unknown; 0 if the
// union is absent; Ambiguous if no arm or several are set.
type Arm int16

// Ambiguous is the Arm of a union in which no arm or several are set.
const Ambiguous Arm = -1

// ids returns the set of the ids from 1 to last, as a mask.
func ids(last Arm) uint32 { return 2<<last - 2 }

// union reads a union whose known arms have the ids in known. fields reads the struct of the
// arm that is given. Known arms count over unknown ones; a known id of another type is no arm.
func (r *reader) union(known uint32, fields func(Arm)) Arm {
	set, unknown := uint32(0), Arm(0)
	for k := r.field(0); k != 0; k = r.field(k) {
		id := k >> 4
		switch {
		case id < 1 || id > 31 || known>>id&1 == 0:
			unknown = Arm(id)
			r.skip(k)
		case k&0x0f != typeStruct:
			r.skip(k)
		default:
			set |= 1 << id
			fields(Arm(id))
		}
	}
	switch {
	case set == 0 && unknown > 0:
		return unknown
	case bits.OnesCount32(set) == 1:
		return Arm(bits.TrailingZeros32(set))
	}
	return Ambiguous
}

// plainUnion reads a union whose arms, 1 to last, are structs without fields.
func (r *reader) plainUnion(last Arm) Arm {
	return r.union(ids(last), func(Arm) { r.empty() })
}

// empty reads a struct that has no known fields.
func (r *reader) empty() {
	for k := r.field(0); k != 0; k = r.field(k) {
		r.skip(k)
	}
}
