package footer

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/thrift"
)

const (
	nonceSize = 12
	tagSize   = 16
)

// Verify returns an error unless the footer b of a file with encrypted columns is signed
// with the key that keys returns for its key metadata. m is the parsed footer.
//
//	FileMetaData                     | nonce, 12 bytes | tag, 16 bytes |
//	as plain text, m.Size bytes        of AES-GCM over FileMetaData and the AAD
func Verify(ctx context.Context, m *thrift.Footer, b []byte, keys func(ctx context.Context, keyMetadata []byte) ([]byte, error)) error {
	metadata, signature := b[:m.Size], b[m.Size:]
	if len(signature) != nonceSize+tagSize {
		return corrupt.IsEncrypted("footer of a file with encrypted columns: a signature of ", len(signature), " bytes, not 28")
	}
	if m.AAD.SupplyPrefix {
		return corrupt.NotSupported("footer signature: the file does not have the AAD prefix of its encryption")
	}
	key, err := keys(ctx, bytes.Clone(m.SigningKey))
	if err != nil {
		return detach.WithEnd(ctx, err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return corrupt.IsEncrypted("footer signature: a key of ", len(key), " bytes, not 16, 24 or 32")
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return err
	}
	nonce, tag := signature[:nonceSize], signature[nonceSize:]
	aad := append(append(bytes.Clone(m.AAD.Prefix), m.AAD.FileUnique...), byte(page.Footer))
	sealed := gcm.Seal(nil, nonce, metadata, aad)
	if subtle.ConstantTimeCompare(sealed[len(metadata):], tag) == 0 {
		return corrupt.IsEncrypted("footer signature does not match: the footer was changed, or signed with another key")
	}
	return nil
}
