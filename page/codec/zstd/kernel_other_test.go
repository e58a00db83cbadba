//go:build !amd64 || purego

package zstd

func kernels() []way { return []way{careful()} }
