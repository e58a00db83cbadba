//go:build !amd64 || purego

package zstd

// HasKernels reports whether there are kernels for this machine.
func HasKernels() bool { return false }

func pick() way { return careful() }
