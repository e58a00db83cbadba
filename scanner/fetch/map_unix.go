//go:build (linux || darwin || freebsd) && (amd64 || arm64 || loong64 || mips64 || mips64le || ppc64 || ppc64le || riscv64 || s390x)

package fetch

import (
	"os"
	"syscall"
)

// mapped returns the first size bytes of a file as memory, nil if that cannot
// be had. Nothing beyond the file's end can be read.
func mapped(f *os.File, size int64) (data []byte) {
	if size == 0 {
		return nil
	}
	control(f, func(fd int) (err error) {
		if data, err = syscall.Mmap(fd, 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED); err != nil {
			data = nil
		}
		return err
	})
	return data
}

// unmap ends what mapped has begun.
func unmap(data []byte) { syscall.Munmap(data) }

// sizeNow returns how many bytes the file has at the moment.
func sizeNow(f *os.File) (int64, error) {
	var now syscall.Stat_t
	err := control(f, func(fd int) error { return syscall.Fstat(fd, &now) })
	return now.Size, err
}

// control calls do with the descriptor of a file that is open meanwhile.
func control(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if raw.Control(func(fd uintptr) { err = do(int(fd)) }) != nil {
		return os.ErrClosed // its own error is not exported
	}
	return err
}
