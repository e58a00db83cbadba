package oracle

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
)

// randomEncryption returns how a world's file is encrypted, nil for most, and the options that
// open it.
func (w *world) randomEncryption(r *rand.Rand) (*gen.Encryption, scanner.OpenOptions) {
	if r.IntN(4) > 0 {
		return nil, scanner.OpenOptions{}
	}
	keys := map[string][]byte{}
	newKey := func(metadata, known string) gen.Key {
		k := make([]byte, pick(r, 16, 24, 32))
		for i := range k {
			k[i] = byte(r.Uint32())
		}
		keys[known] = k
		return gen.Key{Metadata: metadata, Bytes: string(k)}
	}
	e := &gen.Encryption{Footer: newKey("kf", "kf"), PlainFooter: r.IntN(2) == 0, CTR: r.IntN(3) == 0}
	o := scanner.OpenOptions{Keys: func(_ context.Context, metadata []byte) ([]byte, error) {
		if k := keys[string(metadata)]; k != nil {
			return k, nil
		}
		return nil, errors.New("there is no key " + string(metadata))
	}}
	if r.IntN(5) == 0 {
		e.AsDuckDB, e.PlainFooter, e.CTR = true, false, false
		return e, o
	}
	if r.IntN(3) == 0 {
		e.Prefix, e.HidePrefix = "a world", r.IntN(2) == 0
		o.AADPrefix = func(string) []byte { return []byte(e.Prefix) }
	}
	if r.IntN(3) > 0 {
		of := map[string]gen.Key{}
		for _, l := range w.leaves {
			path := strings.Join(l.Path, ".")
			switch r.IntN(4) {
			case 0:
				of[path] = e.Footer
			case 1:
				of[path] = newKey("key of "+path, "key of "+path)
			case 2:
				of[path] = newKey("", path)
			}
		}
		e.Column = func(path string) gen.Key { return of[path] }
	}
	return e, o
}
