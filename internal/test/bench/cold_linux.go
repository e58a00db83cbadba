package bench

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

var kept = errors.New("the system keeps the file in memory, as that of a RAM disk or one that a program has mapped")

// dropCache has the system forget what it holds of a file in memory. It is an error if it does not.
func dropCache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fd, system := int(f.Fd()), unix.Statfs_t{}
	err = errors.Join(f.Sync(), unix.Fstatfs(fd, &system), unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED)) // what is not written yet stays
	if err != nil {
		return err
	}
	// A page that the system works on stays for some milliseconds.
	for range 100 {
		// A read that must not wait for a disk succeeds only if memory has the byte. File systems in memory refuse it.
		_, err := unix.Preadv2(fd, [][]byte{make([]byte, 1)}, 0, unix.RWF_NOWAIT)
		switch {
		case int64(system.Type) == unix.TMPFS_MAGIC:
			return kept
		case err != nil:
			return nil
		}
		time.Sleep(2 * time.Millisecond)
		if err := unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED); err != nil {
			return err
		}
	}
	return kept
}
