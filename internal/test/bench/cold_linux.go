package bench

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// dropCache has the system forget what it holds of a file in memory. It is an error if it does not.
func dropCache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // what is not written yet stays
		return err
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return &os.PathError{Op: "fadvise", Path: path, Err: err}
	}
	// A read that must not wait for a disk succeeds only if memory has the byte.
	if _, err := unix.Preadv2(int(f.Fd()), [][]byte{make([]byte, 1)}, info.Size()/2, unix.RWF_NOWAIT); err == nil {
		return errors.New("the system keeps the file in memory, as that of a RAM disk or one that a program has mapped")
	}
	return nil
}
