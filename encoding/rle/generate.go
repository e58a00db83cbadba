package rle

//go:generate go -C ../../internal/tools run ./rle/asm -out ../../encoding/rle/zkernels_amd64.s -stubs ../../encoding/rle/zkernels_amd64.go -pkg rle
