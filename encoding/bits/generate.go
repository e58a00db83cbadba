package bits

//go:generate go -C ../../internal/tools run ./bits/asm -out ../../encoding/bits/zkernels_amd64.s -stubs ../../encoding/bits/zkernels_amd64.go -pkg bits
