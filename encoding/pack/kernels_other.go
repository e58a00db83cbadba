//go:build !amd64 || purego

package pack

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/internal/invariants"
)

// With the tag invariants, twins in Go take the place of kernels, so that their callers are tested on every machine.
const hasAVX2, hasFetch = invariants.On, invariants.On

func packKernel[T any](dst, src []T, sel []uint64, words, room int) (done, kept int) {
	const spare = 16 // values: others want 2 to 63
	for done < words && kept+mathbits.OnesCount64(sel[done])+spare <= room {
		kept += some(dst[kept:], src[done*64:][:64], sel[done])
		done++
	}
	return done, kept
}

func fetchKernel[T any](dst, src []T, sel []uint64, words, room int) (kept, left int) {
	done, kept := packKernel(dst, src, sel, words, room)
	return kept, words - done
}
