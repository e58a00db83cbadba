//go:build !amd64 || purego

package bss

func vector4([]uint32, []byte, int) int        { return 0 }
func vector8([]uint64, []byte, int) int        { return 0 }
func vectorBytes([]byte, int, []byte, int) int { return 0 }

func few4([]uint32, []byte, int, []uint64) (words, kept int) { return 0, 0 }
func few8([]uint64, []byte, int, []uint64) (words, kept int) { return 0, 0 }

func keep4([]uint32, []byte, int, []uint64) (words, kept int) { return 0, 0 }
func keep8([]uint64, []byte, int, []uint64) (words, kept int) { return 0, 0 }
