package bench

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

var errKept = errors.New("the system keeps the file in memory, as that of a RAM disk or one that a program has mapped")

// dropCache has the system forget what it holds of a file in memory. It is an error if it does not.
func dropCache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fd, system := int(f.Fd()), unix.Statfs_t{}
	if err := errors.Join(f.Sync(), unix.Fstatfs(fd, &system)); err != nil { // what is not written yet stays
		return err
	}
	if int64(system.Type) == unix.TMPFS_MAGIC {
		return errKept
	}
	for range 100 { // a page that the system works on stays for some milliseconds
		if err := unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED); err != nil {
			return err
		}
		// A read that must not wait for a disk succeeds only if memory has the byte. File systems in memory refuse it.
		if _, err := unix.Preadv2(fd, [][]byte{make([]byte, 1)}, 0, unix.RWF_NOWAIT); err != nil {
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return errKept
}
