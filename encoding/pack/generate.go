package pack

//go:generate go -C ../../internal/tools run ./pack/asm -out ../../encoding/pack/zkernels_amd64.s -stubs ../../encoding/pack/zkernels_amd64.go -pkg pack
