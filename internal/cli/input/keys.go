package input

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/scanner"
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

// footerName stands for a footer's key that has no name in the file.
const footerName = "footer"

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
	name := string(metadata)
	if name == "" {
		name = footerName
	}
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
	var at *scanner.Error
	if errors.As(err, &at) && at.Column != "" && selects {
		ways = append(ways, "-c -"+at.Column+" leaves the column out")
	}
	if len(ways) == 0 {
		return text
	}
	return text + "; " + strings.Join(ways, ", ")
}
