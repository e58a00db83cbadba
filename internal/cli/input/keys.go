package input

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// Keys are the keys of encrypted files, from a file: arguments show in lists of processes.
//
//	# the name that the file has for a key, or the column's path if it has none
//	footer  30313233343536373839303132333435
//	key 1   …
type Keys struct {
	Path   string // --keys; "": there are none
	prefix string // --aad-prefix; "": files may have any
	keys   map[string][]byte
}

// Declare adds the flags of keys to fs.
func (k *Keys) Declare(fs *flag.FlagSet) {
	fs.StringVar(&k.Path, "keys", "", "a `file` with the keys of encrypted files: lines of a name and hexadecimal digits; plain files are refused")
	fs.StringVar(&k.prefix, "aad-prefix", "", "the AAD prefix that files must have: a `text` that says which files they are; with --keys")
}

// Options returns the options that open files with these keys.
func (k *Keys) Options() (o scanner.OpenOptions, err error) {
	if k.Path == "" {
		if k.prefix != "" {
			err = errors.New("--aad-prefix: without --keys, nothing tells the prefix of a file")
		}
		return o, err
	}
	b, err := os.ReadFile(k.Path)
	if err != nil {
		return o, errors.New("--keys: " + err.Error())
	}
	k.keys = map[string][]byte{}
	number := 0
	for line := range strings.Lines(string(b)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.LastIndexAny(line, " \t")
		key, err := hex.DecodeString(line[at+1:])
		if name := strings.TrimSpace(line[:max(at, 0)]); err == nil && name != "" && (len(key) == 16 || len(key) == 24 || len(key) == 32) {
			k.keys[name] = key
			continue
		}
		return o, fmt.Errorf("--keys: %s, line %d: want a name and a key of 32, 48 or 64 hexadecimal digits", fault.ShortName(k.Path), number)
	}
	o.Keys, o.RequireEncryption = k.key, true
	if k.prefix != "" {
		o.AADPrefix = func(string) []byte { return []byte(k.prefix) }
	}
	return o, nil
}

// key returns the key that a file has this metadata for.
func (k *Keys) key(_ context.Context, metadata []byte) ([]byte, error) {
	name := cmp.Or(string(metadata), "footer") // of which the key has no name in the file
	if key := k.keys[name]; key != nil {
		return key, nil
	}
	return nil, fmt.Errorf("%s has no key %.60q", fault.ShortName(k.Path), name)
}

// Hint returns the text of an error, and what helps if a key is missing. selects is whether
// columns can be left out.
func (k *Keys) Hint(selects bool, err error) string {
	text := err.Error()
	if !errors.Is(err, scanner.ErrEncrypted) {
		return text
	}
	var ways []string
	if k.Path == "" {
		ways = append(ways, "--keys FILE gives keys")
	}
	if at, ok := errors.AsType[*scanner.Error](err); ok && at.Column != "" && selects {
		ways = append(ways, "-c -"+at.Column+" leaves the column out")
	}
	if len(ways) == 0 {
		return text
	}
	return text + "; " + strings.Join(ways, ", ")
}

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
