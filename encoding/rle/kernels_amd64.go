//go:build !purego

package rle

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

var hasLookup = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// hasBytes reports whether there is a kernel for codes that become bytes.
var hasBytes = hasLookup && bits.Deposits()

// canNarrow reports whether there are kernels for codes of a byte or two. With the tag invariants, Go twins
// take their place on other machines, so that their callers are tested everywhere.
var canNarrow = hasFew && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

var hasNarrow = canNarrow || invariants.On

// hasFew reports whether there are also kernels for dictionaries of few entries.
var hasFew = hasLookup && cpu.X86.HasAVX512F

func runsKernel(dst []uint32, src []byte, longest, n, left, width, limit int) (at, done int, largest uint32) {
	return codesAVX2(&dst[0], &src[0], longest, n, left, width, limit)
}

func shortBytesKernel(dst, src []byte, longest, n, left, width, limit int) (at, done int) {
	return codeBytesBMI2(&dst[0], &src[0], longest, n, left, width, limit)
}
