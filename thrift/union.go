package thrift

// Arm is the arm of a union that is set: its field id, known or unknown; 0 if the
// union is absent; Ambiguous if no arm or several are set.
type Arm int16

// Ambiguous is the Arm of a union in which no arm or several are set.
const Ambiguous Arm = -1

// arms collects the arms of a union that are set. Known ones count over unknown ones.
type arms struct {
	known   uint32 // a set of ids
	unknown Arm
}

func (a *arms) add(k int32) { a.known |= 1 << (k >> 4) }

// addUnknown records a field, unless its id is one of the known arms 1 to last: it
// then has an unexpected type.
func (a *arms) addUnknown(k int32, last int32) {
	if id := k >> 4; id < 1 || id > last {
		a.unknown = Arm(id)
	}
}

// arm returns the one arm that is set, or Ambiguous.
func (a *arms) arm() Arm {
	switch {
	case a.known == 0 && a.unknown > 0:
		return a.unknown
	case a.known != 0 && a.known&(a.known-1) == 0:
		id := Arm(0)
		for a.known>>id != 1 {
			id++
		}
		return id
	}
	return Ambiguous
}

// union reads a union whose arms, 1 to last, are structs without fields.
func (r *reader) union(last int32) Arm {
	var a arms
	for k := r.field(0); k != 0; k = r.field(k) {
		if k&0x0f == typeStruct && k>>4 >= 1 && k>>4 <= last {
			a.add(k)
			r.empty()
		} else {
			a.addUnknown(k, last)
			r.skip(k)
		}
	}
	return a.arm()
}

// empty reads a struct that has no known fields.
func (r *reader) empty() {
	for k := r.field(0); k != 0; k = r.field(k) {
		r.skip(k)
	}
}
