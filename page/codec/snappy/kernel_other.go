//go:build !amd64 || purego

package snappy

// fast is fastGo where there is no kernel.
func fast(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	return fastGo(dst, d, dLimit, src, s, sLimit)
}
