//go:build !amd64 || purego

package plain

func prefetch([]byte) {}

func vectorBits(dst, src []byte) int { return 0 }
