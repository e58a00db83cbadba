//go:build !purego

package rle

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// fewestAlike is how many bytes of equal runs there must be for the kernel.
const fewestAlike = 33

var hasAVX2 = cpu.X86.HasAVX2

var hasLookup = hasAVX2 && cpu.X86.HasBMI2

// hasBytes reports whether there is a kernel for codes that become bytes.
var hasBytes = hasLookup && bits.Deposits()

// canNarrow reports whether there are kernels for codes of a byte or two. With the tag invariants, Go twins
// take their place on other machines, so that their callers are tested everywhere.
var canNarrow = hasFew && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

var hasNarrow = canNarrow || invariants.On

// hasFew reports whether there are also kernels for dictionaries of few entries.
var hasFew = hasLookup && cpu.X86.HasAVX512F

const (
	lookupRoom  = 64 // how many values kernels may write after those of a run
	lookupRead  = 16 // how many bytes kernels may read after them
	lookupWidth = 26 // the largest width with which each value lies in four bytes

	fewestEights = 2 // groups of 8 unpacked codes: fewer are translated one by one
)

// skipAlike steps over valid repeated runs in body, from at on, with headers of 1 or 2
// bytes, as long as left is at least their number of values. It may stop before that.
// It returns where it stopped, and how many values are left.
func skipAlike(body []byte, at, left, header int, width uint) (next, still int) {
	size := int(width+7) / 8
	if !hasAVX2 || size == 0 || len(body)-at < fewestAlike {
		return skipAlikeGo(body, at, left, header, width)
	}
	above := 0xff << (1 + (width-1)%8) & 0xff
	on, still := skipAlikeAVX2(&body[at], len(body)-at, left, header, size, above)
	return at + on, still
}

// hasRunCodes says that there is a kernel for runCodes.
func (d *Codes) hasRunCodes() bool { return hasLookup && 0 < d.width && d.width <= lookupWidth }

// runCodes decodes whole valid runs, of at most longest codes each and n codes in all, to
// the front of dst. It returns how many codes it decoded: 0 without a kernel.
func (d *Codes) runCodes(dst []uint32, n, longest int) int {
	if !d.hasRunCodes() || d.left > 0 || d.next == len(d.body) {
		return 0
	}
	room, left := min(len(d.body), cap(d.body)-lookupRead)-d.next, min(n, d.n, len(dst)-lookupRoom)
	limit := min(uint64(d.limit), 1<<d.width)
	if room <= 0 || left <= 0 {
		return 0
	}
	at, done, largest := codesAVX2(&dst[0], &d.body[d.next], longest, room, left, int(d.width), int(limit))
	if uint64(largest) >= limit {
		return 0 // the caller goes run by run, and reports which code is too large
	}
	d.next += at
	d.n -= done
	return done
}
