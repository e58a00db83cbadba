package encoding

//go:generate go -C ../internal/tools run ./within/asm -out ../../encoding/zwithin_amd64.s -stubs ../../encoding/zwithin_amd64.go -pkg encoding
