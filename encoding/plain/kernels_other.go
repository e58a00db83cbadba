//go:build !amd64 || purego

package plain

func prefetch([]byte) {}
