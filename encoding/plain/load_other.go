//go:build !(386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package plain

import "github.com/winnow-scan/winnow/encoding"

// InPlace reports that values have other bytes in memory than in a body.
const InPlace = littleEndian

// load fills dst with the values at the front of body.
func load[T encoding.Number](dst []T, body []byte) {
	body = body[:len(dst)*encoding.SizeOf[T]()]
	for i := range dst {
		dst[i] = number[T](body, i)
	}
}

const littleEndian = false
