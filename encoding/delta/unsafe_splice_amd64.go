//go:build !purego

package delta

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

var hasVBMI = cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI

func rareStrings() int {
	switch {
	case hasVBMI:
		return 75
	case cpu.X86.HasAVX2: // Keep has no kernel for this. Scans at 10 % take 0.4 to 0.9 of the time by Gather, at 20 % 0.6 to 1.2
		return 8
	}
	return 4
}

// viewBytes returns the memory of views that kernels write: any 16 bytes that they
// store are a view.
func viewBytes(v []bits.View) *byte { return (*byte)(unsafe.Pointer(&v[0])) }

func makeViewsKernel(dst []bits.View, lengths []int32, n int, body []byte, at, limit int, buffer int32) (done, end int) {
	if sixteens := n / 16; hasVBMI && sixteens > 0 {
		done, at = viewsVBMI(viewBytes(dst), &lengths[0], sixteens, &body[:1][0], at, limit, uint32(buffer))
	}
	if done == n {
		return done, at
	}
	more, at := viewsAVX2(viewBytes(dst[done:]), &lengths[done], n-done, &body[:1][0], at, limit, uint32(buffer))
	return done + more, at
}

func makeSomeKernel(dst []bits.View, lengths, scratch []int32, sel []uint64, sixteens int, body []byte, at, limit int, buffer int32) (done, end, kept int) {
	return keepViewsVBMI(viewBytes(dst), &lengths[0], sixteens, &body[:1][0], at, limit, uint32(buffer), &sel[0], &scratch[0])
}

func sumEightsKernel(lengths []int32, groups int) (sum int64, signs int32) {
	return sumLengthsAVX2(&lengths[0], groups)
}

func joinShortKernel(dst []bits.View, s *shares, i, sixteens int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	return spliceShortVBMI(viewBytes(dst), &s.prefix[i], sixteens, &state.head[0],
		&out[0], outLimit, &body[0], bodyLimit, uint32(buffer))
}

func joinViewsKernel(dst []bits.View, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	if !cpu.X86.HasAVX2 {
		return joinGo(dst, 0, s, i, n, state, out, outLimit, body, bodyLimit, buffer)
	}
	return spliceAVX2(viewBytes(dst), &s.prefix[i], n, &state.head[0],
		&out[0], &out[outLimit], &body[0], &body[bodyLimit], uint32(buffer))
}

func joinFixedKernel(size int, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int) (done int) {
	if !cpu.X86.HasAVX2 {
		return joinGo(nil, size, s, i, n, state, out, outLimit, body, bodyLimit, 0)
	}
	return spliceFixedAVX2(size, &s.prefix[i], n, &state.head[0],
		&out[0], &out[outLimit], &body[0], &body[bodyLimit], 0)
}
