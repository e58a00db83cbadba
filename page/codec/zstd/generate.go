package zstd

//go:generate go -C ../../../internal/tools run ./zstd/asm -out ../../page/codec/zstd/zkernel_amd64.s -stubs ../../page/codec/zstd/zkernel_amd64.go -pkg zstd
