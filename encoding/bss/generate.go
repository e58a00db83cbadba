package bss

//go:generate go -C ../../internal/tools run ./bss/asm -out ../../encoding/bss/zkernels_amd64.s -stubs ../../encoding/bss/zkernels_amd64.go -pkg bss
