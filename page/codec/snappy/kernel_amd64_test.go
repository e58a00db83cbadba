//go:build !purego

package snappy

import "golang.org/x/sys/cpu"

// kernels are those that pick may return, each for all there is.
func kernels() []way {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return nil
	}
	return []way{{"far", only(fastFar)}, {"near", only(fastNear)}}
}
