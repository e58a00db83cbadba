package invariants

import "testing"

func TestChecksFollowTheTag(t *testing.T) {
	b := make([]byte, 2, 4)
	Mangle(b)
	if mangled := b[:4][3] == 0xcc; mangled != On {
		t.Errorf("buffer mangled: %v, want %v", mangled, On)
	}
	defer func() {
		if panicked := recover() != nil; panicked != On {
			t.Errorf("Assert panicked: %v, want %v", panicked, On)
		}
	}()
	Assert(false, "two is three")
}
