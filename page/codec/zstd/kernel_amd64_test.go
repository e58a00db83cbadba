//go:build !purego

package zstd

// kernels are those that pick may return.
func kernels() []way { return []way{goWay(), pick()} }
