package input

import (
	"errors"
	"flag"
	"math"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// Cache are the flags of the folder that keeps what is read of files of the program's schemes.
type Cache struct {
	dir  string   // --cache; "": nothing is kept
	size sizeFlag // --cache-size; 0: 1 GiB
}

// Declare adds the flags of the cache to fs.
func (c *Cache) Declare(fs *flag.FlagSet) {
	fs.StringVar(&c.dir, "cache", "", "keep what is read of files of other machines in this `folder`, for later runs")
	fs.Func("cache-size", "bound the folder of --cache to this `size`, like 500M or 20G; 1G if not given", c.size.Set)
}

// Blocks returns the blocks through which far files are read; nil: none.
func (c *Cache) Blocks() (*cache.Blocks, error) {
	switch {
	case c.dir == "" && c.size != 0:
		return nil, errors.New("--cache-size without --cache")
	case c.dir == "":
		return nil, nil
	case c.size == 0:
		c.size = 1 << 30
	}
	folder, err := cache.OpenFolder(c.dir, int64(c.size))
	if err != nil {
		return nil, errors.New("--cache: " + err.Error())
	}
	return cache.NewBlocks(folder, 0), nil
}

// sizeFlag is a number of bytes from 1 on, with K, M, G or T for powers of 1024.
type sizeFlag int64

func (f *sizeFlag) Set(s string) error {
	digits, unit := s, int64(1)
	if n := len(s) - 1; n > 0 {
		if power := strings.IndexByte("kmgt", s[n]|0x20); power >= 0 {
			digits, unit = s[:n], 1<<(10*(power+1))
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || n == 0 || int64(n) > math.MaxInt64/unit {
		return errors.New("want a size from 1 on, like 500M or 20G")
	}
	*f = sizeFlag(int64(n) * unit)
	return nil
}
