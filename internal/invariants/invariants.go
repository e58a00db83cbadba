package invariants

// Assert panics with what if the checks are on and ok is false. Guard it with
// On where computing ok costs something.
func Assert(ok bool, what string) {
	if On && !ok {
		panic("winnow: broken invariant: " + what)
	}
}

// Mangle overwrites a released buffer when the checks are on.
func Mangle(b []byte) {
	if !On {
		return
	}
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xcc
	}
}
