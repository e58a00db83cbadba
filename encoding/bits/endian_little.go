//go:build !(armbe || arm64be || m68k || mips || mips64 || mips64p32 || ppc || ppc64 || s390 || s390x || shbe || sparc || sparc64)

package bits

// BigEndian says that memory has the most significant byte of a word first.
const BigEndian = false
