package vector

//go:generate go -C ../../internal/tools run ./vector/asm -out ../../column/vector/zkernels_amd64.s -stubs ../../column/vector/zkernels_amd64.go -pkg vector
