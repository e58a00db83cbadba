package decrypt

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	lengthSize = 4 // of what stands in front of a module
	nonceSize  = 12
	tagSize    = 16
)

// keys are the keys of a file, each of them requested from the host once. A request that
// failed is made again by whoever needs the key next.
type keys struct {
	host  func(ctx context.Context, keyMetadata []byte) ([]byte, error)
	slots sync.Map // by name: *keySlot
}

// keySlot is a key, or a place for it.
type keySlot struct {
	turn chan struct{}       // holds an element while someone requests the key
	key  atomic.Pointer[key] // nil: not known yet
}

// key is a key, ready for use.
type key struct {
	block cipher.Block
	gcm   cipher.AEAD
}

// ofColumn returns the key of a column.
func (f *File) ofColumn(ctx context.Context, c *thrift.Crypto) (*key, error) {
	switch c.Kind {
	case 1:
		return f.key(ctx, "column", f.footerKey, true)
	case 2:
		metadata := c.KeyMetadata
		if metadata == nil { // then the path is all that there is to name the key by
			metadata = []byte(strings.Join(c.Path, "."))
		}
		return f.key(ctx, "column", metadata, false)
	case 0:
		return nil, corrupt.At(-1, "column has encrypted metadata, and no crypto metadata")
	}
	return nil, corrupt.NotSupported("column is encrypted with a key of kind ", int64(c.Kind))
}

// key returns the key with some metadata, which what (the footer, or a column) is encrypted
// with.
func (f *File) key(ctx context.Context, what string, metadata []byte, ofFooter bool) (*key, error) {
	if f.keys.host == nil {
		return nil, noKeys(what)
	}
	if f.fault != nil {
		return nil, f.fault
	}
	name := "column " + string(metadata)
	if ofFooter {
		name = "footer"
	}
	slot, known := f.keys.slots.Load(name)
	if !known {
		slot, _ = f.keys.slots.LoadOrStore(name, &keySlot{turn: make(chan struct{}, 1)})
	}
	s := slot.(*keySlot)
	if k := s.key.Load(); k != nil {
		return k, nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, detach.WithEnd(ctx, ctx.Err())
	}
	if k := s.key.Load(); k != nil {
		return k, nil
	}
	b, err := f.keys.host(ctx, bytes.Clone(metadata))
	if err != nil {
		return nil, &unavailable{what, detach.WithEnd(ctx, err)}
	}
	k, err := newKey(b)
	if err != nil {
		return nil, err
	}
	s.key.Store(k)
	return k, nil
}

func noKeys(what string) error {
	return corrupt.IsEncrypted(what, " is encrypted, and no keys are given")
}

// unavailable is the error of a key that the host does not give.
type unavailable struct {
	what  string
	cause error
}

func (u *unavailable) Error() string {
	return u.what + " is encrypted, and its key cannot be had: " + u.cause.Error()
}

func (u *unavailable) Unwrap() []error { return []error{corrupt.Encrypted, u.cause} }

func newKey(b []byte) (*key, error) {
	block, err := aes.NewCipher(b)
	if err != nil {
		return nil, corrupt.IsEncrypted("a key of ", len(b), " bytes, not 16, 24 or 32")
	}
	gcm, err := cipher.NewGCM(block)
	return &key{block, gcm}, err
}

// openGCM returns the plain bytes of a module.
//
//	length, 4 bytes | nonce, 12 bytes | encrypted bytes | tag, 16 bytes
//
// It decrypts a copy in place: Open reads what it is given twice, for the tag and to decrypt,
// and b may change in between where a source shows memory, such as a mapping of a file.
func (k *key) openGCM(dst, b []byte, m page.Module, aad []byte) ([]byte, error) {
	if len(b) < page.GCMOverhead {
		return nil, corrupt.At(-1, m, " of ", len(b), " bytes, fewer than encryption adds")
	}
	nonce := [nonceSize]byte(b[lengthSize:])
	sealed := append(dst[:0], b[lengthSize+nonceSize:]...)
	plain, err := k.gcm.Open(sealed[:0], nonce[:], sealed, aad)
	if err != nil {
		return nil, corrupt.At(-1, m, " does not decrypt: wrong key, or altered")
	}
	return plain, nil
}

// openCTR is openGCM for pages of AES_GCM_CTR_V1, which have no tag.
func (k *key) openCTR(dst, b []byte, m page.Module) ([]byte, error) {
	if len(b) < page.CTROverhead {
		return nil, corrupt.At(-1, m, " of ", len(b), " bytes, fewer than encryption adds")
	}
	iv := [aes.BlockSize]byte{aes.BlockSize - 1: 1}
	copy(iv[:nonceSize], b[lengthSize:])
	sealed := b[lengthSize+nonceSize:]
	if cap(dst) < len(sealed) {
		dst = make([]byte, len(sealed))
	}
	cipher.NewCTR(k.block, iv[:]).XORKeyStream(dst[:len(sealed)], sealed)
	return dst[:len(sealed)], nil
}

// verify returns an error unless a signature is that of metadata.
func (k *key) verify(metadata, signature, aad []byte) error {
	sealed := k.gcm.Seal(nil, signature[:nonceSize], metadata, aad)
	if subtle.ConstantTimeCompare(sealed[len(metadata):], signature[nonceSize:]) == 0 {
		return corrupt.At(-1, "footer's signature does not match: wrong key, or altered")
	}
	return nil
}
