package thrift

// Arms says which arm of a union is set: its field id, also if it is not
// known here; 0 if there is no union; Ambiguous if no arm or several are set.
type Arm int16

// Ambiguous is the Arm of a union with no arm or several.
const Ambiguous Arm = -1

// arms collects the arms of a union. Known ones win over unknown ones.
type arms struct {
	known   uint32 // as a set
	unknown Arm
}

func (a *arms) add(k int32) { a.known |= 1 << (k >> 4) }

// other notes a field that is not one of the arms from 1 to last.
func (a *arms) other(k int32, last int32) {
	if id := k >> 4; id < 1 || id > last {
		a.unknown = Arm(id)
	}
}

func (a *arms) one() Arm {
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
			a.other(k, last)
			r.skip(k)
		}
	}
	return a.one()
}

// empty reads a struct of which no field is known.
func (r *reader) empty() {
	for k := r.field(0); k != 0; k = r.field(k) {
		r.skip(k)
	}
}
