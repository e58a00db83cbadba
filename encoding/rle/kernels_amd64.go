//go:build !purego

package rle

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// fewestAlike is how many bytes runs that are alike must take at least for the kernel.
const fewestAlike = 33

var hasAVX2 = cpu.X86.HasAVX2

var hasLookup = hasAVX2 && cpu.X86.HasBMI2

// hasBytes says that there is one for codes that become bytes.
var hasBytes = hasLookup && bits.Deposits()

// canNarrow says that there are those for codes of a byte or two. With the tag invariants, twins in Go
// take their place elsewhere, so that their callers are tested on every machine.
var canNarrow = hasFew && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

var hasNarrow = canNarrow || invariants.On

// hasFew says that there are, too, those for a few entries.
var hasFew = hasLookup && cpu.X86.HasAVX512F

const (
	lookupRoom  = 64 // as many values kernels may write after those of a run
	lookupRead  = 16 // as many bytes they read after them
	lookupWidth = 26 // the largest width, with which a value lies in four bytes

	fewestEights = 2 // of codes that are unpacked: fewer are translated one by one
)

// skipAlike steps over repeated runs in body, from at on, with headers of so many
// bytes, 1 or 2, as long as they have left values and nothing is wrong with them.
// It may stop before that, and returns where, and how many values are left.
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

// runCodes decodes whole runs of at most longest codes to the front of dst, while there
// are no more than n codes, and nothing is wrong. It returns how many; there may be no kernel.
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
		return 0 // who goes run by run says in which
	}
	d.next += at
	d.n -= done
	return done
}
