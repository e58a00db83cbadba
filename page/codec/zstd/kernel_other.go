//go:build !amd64 || purego

package zstd

// pick returns the kernels in Go where there are no others.
func pick() way { return goWay() }
