//go:build !amd64 || purego

package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/internal/invariants"
)

const lookupRoom = 0

const hasLookup, hasBytes = false, false

// hasNarrow reports whether twins take the place of kernels, so that their callers are tested on every machine.
const hasNarrow = invariants.On

// skipAlike is skipAlikeGo if there is no kernel.
func skipAlike(body []byte, at, left, header int, width uint) (next, still int) {
	return skipAlikeGo(body, at, left, header, width)
}

// lookupRuns leaves it to the caller if there is no kernel.
func lookupRuns[T any](*Codes, []T, []T) (done int, ok bool) { return 0, false }

// testShort leaves it to the caller if there is no kernel.
func (d *Codes) testShort([]uint64, int, *bitpack.Mask) int { return 0 }

// translateEights leaves it to the caller if there is no kernel.
func translateEights[T any]([]T, []uint32, []T) int { return 0 }

func (d *Codes) hasRunCodes() bool { return false }

// runCodes leaves it to the caller if there is no kernel.
func (d *Codes) runCodes([]uint32, int, int) int { return 0 }

func runsKernel[C narrow](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
	return codeRunsGo(dst, src, longest, n, left, width, limit)
}

func packedKernel[C narrow](dst []C, src []byte, sixtyFours, width int) {
	packedCodesGo(dst, src, sixtyFours, width)
}

func largestCode[C narrow](codes []C) uint32 { return largestCodeGo(codes) }

func keepCodes[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	return keepCodesGo(codes, sel, n)
}

func translateNarrow[T any, C narrow](dst []T, codes []C, dictionary []T) int {
	for i, c := range codes {
		dst[i] = dictionary[c]
	}
	return len(codes)
}
