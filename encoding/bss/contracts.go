package bss

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// blocks2 puts blocks*32 > 0 values of two bytes together, which are stride apart.
// Reads as many bytes of both streams; writes the values.
func blocks2(dst, src []byte, stride, blocks int) {
	if invariants.On {
		invariants.Reads(src, stride+blocks*32)
		invariants.Writes(dst, 2*blocks*32)
	}
	kernel2(dst, src, stride, blocks)
}

// blocksOfWords is blocks2 for four bytes, or eight.
// Reads as many bytes of each stream; writes the values.
func blocksOfWords[T uint32 | uint64](dst []T, src []byte, stride, blocks int) {
	if invariants.On {
		invariants.Reads(src, (encoding.SizeOf[T]()-1)*stride+blocks*32)
		invariants.Writes(dst, blocks*32)
	}
	kernelOfWords(dst, src, stride, blocks)
}

// blocksApart puts 8 bytes of each of blocks*32 > 0 values together and stores them size bytes apart, in order. They
// come from 1 to 8 streams; where those are fewer than 8, the last bytes are rubbish.
// Reads as many bytes of each stream; writes 8 bytes where each value begins.
func blocksApart(dst []byte, size int, src []byte, stride, streams, blocks int) {
	if invariants.On {
		invariants.Reads(src, (streams-1)*stride+blocks*32)
		invariants.Writes(dst, (blocks*32-1)*size+8)
	}
	kernelApart(dst, size, src, stride, streams, blocks)
}
