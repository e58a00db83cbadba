package delta

//go:generate go -C ../../internal/tools run ./delta/asm -out ../../encoding/delta/zkernels_amd64.s -stubs ../../encoding/delta/zkernels_amd64.go -pkg delta
