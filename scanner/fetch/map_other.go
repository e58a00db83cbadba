//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x))

package fetch

import "os"

// Files are read here, not mapped.
func mapped(*os.File, int64) []byte { return nil }

func unmap([]byte) {}

func sizeNow(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
