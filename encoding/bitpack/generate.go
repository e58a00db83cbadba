package bitpack

//go:generate go -C ../../internal/tools run ./bitpack/unroll -out ../../encoding/bitpack/zunpack.go
//go:generate go -C ../../internal/tools run ./bitpack/asm -out ../../encoding/bitpack/zkernels_amd64.s -stubs ../../encoding/bitpack/zkernels_amd64.go -pkg bitpack
