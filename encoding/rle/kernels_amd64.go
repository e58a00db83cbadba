//go:build !purego

package rle

import "golang.org/x/sys/cpu"

// fewestAlike is how many bytes runs that are alike must take at least for the kernel.
const fewestAlike = 33

var hasAVX2 = cpu.X86.HasAVX2

// hasSkipMixed says that there is a kernel for runs of any kind.
var hasSkipMixed = hasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI

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

// skipMixed steps over whole runs of any kind and any length, from at on, as long as they have
// left values and nothing is wrong with them. It may stop before that, and
// returns where, and how many values are left.
func skipMixed(body []byte, at, left int, width uint) (next, still int) {
	if !hasSkipMixed || width == 0 || at == len(body) {
		return at, left
	}
	above := 0xff << (1 + (width-1)%8) & 0xff
	on, still := skipMixedVBMI(&body[at], len(body)-at, left, int(width+7)/8, int(width), above)
	return at + on, still
}
