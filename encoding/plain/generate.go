package plain

//go:generate go -C ../../internal/tools run ./plain/asm -out ../../encoding/plain/zkernels_amd64.s -stubs ../../encoding/plain/zkernels_amd64.go -pkg plain
