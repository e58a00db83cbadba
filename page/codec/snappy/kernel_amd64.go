//go:build !purego

package snappy

import "golang.org/x/sys/cpu"

// pick returns the kernel for what src starts with, fastGo in assembly.
func pick(src []byte) loop {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return fastGo
	}
	if near(src) {
		return fastNear
	}
	return fastFar
}

func fastFar(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	return decodeAVX2(&dst[0], d, dLimit, &src[0], s, sLimit)
}

func fastNear(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	return decodeNearAVX2(&dst[0], d, dLimit, &src[0], s, sLimit)
}

// near says whether most of the first copies have to wait for what was written
// just before.
func near(src []byte) bool {
	const sampled, close = 32, 16
	nearer, further := 0, 0
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
		src = src[size:]
	}
	return nearer > further
}
