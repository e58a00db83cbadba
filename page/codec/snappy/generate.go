package snappy

//go:generate go -C ../../../internal/tools run ./snappy/asm -out ../../page/codec/snappy/zkernel_amd64.s -stubs ../../page/codec/snappy/zkernel_amd64.go -pkg snappy
