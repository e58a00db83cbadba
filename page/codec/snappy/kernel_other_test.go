//go:build !amd64 || purego

package snappy

func kernels() []way { return nil }
