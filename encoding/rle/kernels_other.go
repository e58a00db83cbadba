//go:build !amd64 || purego

package rle

import "github.com/winnow-scan/winnow/encoding/bitpack"

const lookupRoom = 0

const hasLookup, hasNarrow, hasBytes = false, false, false

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

func narrowUpTo[T any](*Codes, bool) int { return 0 }

// lookupNarrow leaves it to the caller if there is no kernel.
func lookupNarrow[T any](*Codes, []T, []T, int) int { return 0 }

// keepNarrow leaves it to the caller if there is no kernel.
func keepNarrow[T any](*Codes, []T, []T, []uint64, int, int, int) (done, kept int) { return 0, 0 }

// runBytes leaves it to the caller if there is no kernel.
func (d *Codes) runBytes([]uint8) int { return 0 }
