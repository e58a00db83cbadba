package rle

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

const (
	bytesRead  = 64 // bytes that kernels may read after those of codes that become uint8
	wordsRead  = 64 + 48
	narrowRoom = 64 // codes that kernels may write after those of a run, or of a group
	lookupFew  = 16 // entries that fit into registers

	lookupRoom  = 64 // how many values kernels may write after those of a run
	lookupRead  = 16 // how many bytes kernels may read after them
	lookupWidth = 26 // the largest width with which each value lies in four bytes
)

// runs decodes whole runs in n bytes of src, up to one of which anything is wrong, that has more than two bytes of
// header, or values than longest, or with which there were more codes than left. It returns where that is, how many
// codes it stored, and the largest packed one, which may be limit or above.
// Reads lookupRead bytes after n; writes lookupRoom codes after left.
func runs(dst []uint32, src []byte, longest, n, left, width, limit int) (at, done int, largest uint32) {
	if invariants.On {
		invariants.Assert(n > 0 && left > 0, "a kernel for runs of codes has nothing to do")
		invariants.Reads(src, n+lookupRead)
		invariants.Writes(dst, left+lookupRoom)
	}
	return runsKernel(dst, src, longest, n, left, width, limit)
}

// shortBytes is runs for codes of 1 to 8 bits, which it stores as bytes. It does not return the largest.
// Reads bytesRead bytes after n; writes lookupRoom codes after left.
func shortBytes(dst, src []byte, longest, n, left, width, limit int) (at, done int) {
	if invariants.On {
		invariants.Assert(n > 0 && left >= 0, "a kernel for short runs has nothing to read")
		invariants.Reads(src, n+bytesRead)
		invariants.Writes(dst, left+lookupRoom)
	}
	return shortBytesKernel(dst, src, longest, n, left, width, limit)
}

// narrowRuns is shortBytes for codes of 1 to 8, or to 16, bits. Packed runs may be longer than longest.
// Reads narrowRead bytes after n; writes narrowRoom codes after left.
func narrowRuns[C narrow](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
	if invariants.On {
		invariants.Assert(n > 0 && left > 0, "a kernel for narrow codes has nothing to do")
		invariants.Reads(src, n+narrowRead[C]())
		invariants.Writes(dst, left+narrowRoom)
	}
	return narrowRunsKernel(dst, src, longest, n, left, width, limit)
}

// packedCodes unpacks sixtyFours*64 > 0 codes.
// Reads narrowRead bytes after the first 8 of the last 64 codes; writes no more than the codes.
func packedCodes[C narrow](dst []C, src []byte, sixtyFours, width int) {
	if invariants.On {
		invariants.Reads(src, (sixtyFours*64-56)/8*width+narrowRead[C]())
		invariants.Writes(dst, sixtyFours*64)
	}
	packedKernel(dst, src, sixtyFours, width)
}

// largestCode returns the largest of some codes.
// Reads these; writes nothing: the kernel gets their number.
func largestCode[C narrow](codes []C) uint32 { return largestKernel(codes) }

// keepCodes moves those of n > 0 codes to the front whose bits are set, and returns how many, and the largest of all.
// Reads as many bits of sel; writes codes, and may spoil narrowRoom of them after the last.
func keepCodes[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	if invariants.On {
		invariants.Reads(sel, bits.Words(n))
		invariants.Writes(codes, n+narrowRoom)
	}
	return keepKernel(codes, sel, n)
}

// lookupNext looks groups*8 packed codes at src up, and then those of the whole runs that follow in n bytes, as runs
// does. limit is how many entries there are.
// Reads lookupRead bytes after n, and the entries; writes groups*8 values, and lookupRoom after left.
func lookupNext[T any](dst []T, src []byte, dictionary []T, groups, n, left, width, limit int) (at, done int, largest uint32) {
	if invariants.On {
		invariants.Reads(src, max(n, groups*width)+lookupRead)
		invariants.Reads(dictionary, limit)
		invariants.Writes(dst, groups*8)
		if left > 0 {
			invariants.Writes(dst, left+lookupRoom)
		}
	}
	return lookupKernel(dst, src, dictionary, groups, n, left, width, limit)
}

// translateSome8 replaces eights*8 > 0 codes by their entries.
// Reads the codes, and the entries up to the largest; writes as many values.
func translateSome8[T any](dst []T, codes []uint32, dictionary []T, eights int) {
	if invariants.On {
		invariants.Reads(codes, eights*8)
		invariants.Reads(dictionary, int(largestOf(codes[:eights*8]))+1)
		invariants.Writes(dst, eights*8)
	}
	translateKernel(dst, codes, dictionary, eights)
}

// translateSome16 replaces sixteens*16 > 0 codes by their entries.
// Reads the codes, and the entries up to the largest; writes as many values.
func translateSome16[T any, C narrow](dst []T, codes []C, dictionary []T, sixteens int) {
	if invariants.On {
		invariants.Reads(codes, sixteens*16)
		invariants.Reads(dictionary, int(largestOf(codes[:sixteens*16]))+1)
		invariants.Writes(dst, sixteens*16)
	}
	translateNarrowKernel(dst, codes, dictionary, sixteens)
}
