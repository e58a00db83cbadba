//go:build !amd64 || purego

package bss

func vector4([]uint32, []byte, int) int        { return 0 }
func vector8([]uint64, []byte, int) int        { return 0 }
func vectorBytes([]byte, int, []byte, int) int { return 0 }
