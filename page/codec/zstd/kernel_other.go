//go:build !amd64 || purego

package zstd

// pick returns the kernels in Go.
func pick() way { return goWay() }
