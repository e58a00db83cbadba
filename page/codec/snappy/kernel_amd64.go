//go:build !purego

package snappy

import "golang.org/x/sys/cpu"

// fast is fastGo in assembly.
func fast(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return fastGo(dst, d, dLimit, src, s, sLimit)
	}
	return decodeAVX2(&dst[0], d, dLimit, &src[0], s, sLimit)
}
