package snappy

import "github.com/winnow-scan/winnow/internal/invariants"

// inReach states how far loops reach.
// Reads less than sourceSlack bytes from sLimit on, and a tag and 8 bytes at s, even after it; writes less than Slack
// bytes from dLimit on.
func inReach(dst []byte, d, dLimit int, src []byte, s, sLimit int) {
	if invariants.On {
		invariants.Assert(d >= 0 && s >= 0, "a loop would start in front of its memory")
		invariants.Reads(src[:len(src):len(src)], max(sLimit+sourceSlack, s+9))
		invariants.Writes(dst, dLimit+Slack)
	}
}
