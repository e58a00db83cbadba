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

func TestReach(t *testing.T) {
	b := make([]byte, 2, 4)
	for name, c := range map[string]struct {
		reach  func([]byte, int)
		n      int
		beyond bool
	}{
		"reads its capacity":   {Reads[byte], 4, false},
		"reads behind it":      {Reads[byte], 5, true},
		"reads less than none": {Reads[byte], -1, true},
		"writes its length":    {Writes[byte], 2, false},
		"writes behind it":     {Writes[byte], 3, true},
		"writes less":          {Writes[byte], -1, true},
	} {
		func() {
			defer func() {
				if panicked := recover() != nil; panicked != (On && c.beyond) {
					t.Errorf("%s: panicked: %v", name, panicked)
				}
			}()
			c.reach(b, c.n)
		}()
	}
}
