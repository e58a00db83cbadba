//go:build !purego

package snappy

import "golang.org/x/sys/cpu"

// pick returns the loop that suits the first tags of src.
func pick(src []byte) loop {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return fastGo
	}
	nearer, further, awkward := sample(src)
	switch {
	case nearer > further:
		return fastNear
	case hasWide && 8*awkward <= nearer+further:
		return fastWide
	}
	return fastFar
}

func fastFar(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	inReach(dst, d, dLimit, src, s, sLimit)
	return decodeAVX2(&dst[0], d, dLimit, &src[0], s, sLimit)
}

func fastNear(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	inReach(dst, d, dLimit, src, s, sLimit)
	return decodeNearAVX2(&dst[0], d, dLimit, &src[0], s, sLimit)
}

// sample counts, in the first tags, the copies of bytes that were just written, the other
// copies, and the tags that fastWide is slow at.
func sample(src []byte) (nearer, further, awkward int) {
	const sampled, close = 32, 16
	for range sampled {
		if len(src) < 5 {
			break
		}
		length, offset, size := parse(src)
		switch {
		case offset >= close:
			further++
		case offset > 0:
			nearer++
		default:
			size += int(min(length, int64(len(src)-size)))
		}
		if offset == 0 && length > 60 || offset != 0 && offset < length || src[0]&3 == 3 {
			awkward++
		}
		src = src[size:]
	}
	return nearer, further, awkward
}

// hasWide reports what decodeVBMI2 needs, and that the processor does not slow down for
// AVX-512, which is true of those with VBMI2.
var hasWide = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW &&
	cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2

// fastWide passes single tags that its kernel does not do, and those near the ends, to
// fastFar. Each costs as much as hundreds of bytes: where there are many, fastFar gets more.
func fastWide(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	inReach(dst, d, dLimit, src, s, sLimit)
	for step := 64; ; {
		was := d
		d, s = decodeVBMI2(&dst[0], d, dLimit, len(dst), &src[0], s, sLimit)
		if step = min(2*step, 1<<12); d-was > 1<<10 {
			step = 64
		}
		until := dLimit
		if len(dst)-d > wideRoom && sLimit-s > wideSlack {
			until = min(d+step, dLimit)
		}
		was = d
		if d, s = fastFar(dst, d, until, src, s, sLimit); d == was {
			return d, s
		}
	}
}

// decodeVBMI2 stops this many bytes before the ends of room and input.
const (
	wideRoom  = 64*64 + Slack
	wideSlack = 128
)
