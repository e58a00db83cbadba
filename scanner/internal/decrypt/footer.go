package decrypt

import (
	"bytes"
	"context"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Options are what a host gives for encrypted files.
type Options struct {
	// Keys returns the key that the metadata of a key name; nil: there are no keys.
	Keys func(ctx context.Context, keyMetadata []byte) ([]byte, error)
	// Prefix returns the AAD prefix that the file with a name must have, nil for any; nil:
	// it is the one that the file has.
	Prefix func(name string) []byte
	Name   string
	// Required says that a file without encryption is an error.
	Required bool
	// MaxColumns is the largest number of columns of a schema.
	MaxColumns int
}

// File decrypts the modules of a file. Safe for concurrent use.
type File struct {
	keys       keys
	footerKey  []byte // the metadata of the footer's key
	stored     thrift.AAD
	aad        []byte // what is authenticated with each module: the prefix and what is unique to the file
	encryption thrift.Arm
	unbound    bool            // modules are encrypted as DuckDB does it, see openFooter
	fault      error           // why nothing can be decrypted
	opened     context.Context // of Open, without its end: for callers that have none
}

// The arms of EncryptionAlgorithm.
const (
	gcmV1    thrift.Arm = 1
	gcmCtrV1 thrift.Arm = 2
)

// uniqueSize is the size of aad_file_unique by all known writers that have one. It is checked
// where the prefix is: nothing divides the two in what is authenticated, so that a file could
// pass for one of a shorter prefix if the rest of its own moved to aad_file_unique.
const uniqueSize = 8

// Open parses a footer, given its bytes in the file: encrypted if sealed, else plain, and then
// with its signature if the file has encrypted columns, which is verified if there are keys.
//
//	sealed  FileCryptoMetaData | length, 4 bytes | nonce, 12 bytes | FileMetaData, encrypted | tag, 16 bytes
//	plain   FileMetaData | nonce, 12 bytes | tag, 16 bytes, over FileMetaData
//
// b must not change any more if there are keys: what is verified is what is parsed.
func Open(ctx context.Context, b []byte, sealed bool, o Options) (m *thrift.Footer, f *File, err error) {
	f = &File{opened: context.WithoutCancel(ctx), keys: keys{host: o.Keys}}
	if o.Required && o.Keys == nil {
		return nil, nil, corrupt.IsEncrypted("the file must be encrypted, and no keys are given")
	}
	if sealed {
		if b, err = f.openFooter(ctx, b, &o); err != nil {
			return nil, nil, err
		}
	}
	if m, err = thrift.ParseFooterUpTo(b, o.MaxColumns); err != nil {
		return nil, nil, corrupt.Within(err, "footer", 0)
	}
	if sealed {
		m.Encryption, m.AAD = f.encryption, f.stored // which stand in front of the footer
		return m, f, nil
	}
	f.footerKey = m.SigningKey
	f.use(m.Encryption, &m.AAD, &o)
	switch {
	case m.Encryption != 0 && o.Keys != nil:
		err = f.verify(ctx, b[:m.Size], b[m.Size:])
	case m.Encryption != 0:
	case m.HasSigningKey, o.Keys != nil && (m.Size < len(b) || m.HasCrypto()):
		err = f.fault
	case o.Required:
		err = corrupt.At(-1, "the file is not encrypted, and it must be")
	}
	return m, f, err
}

// errUnnamed is made once: all plain files have it.
var errUnnamed = corrupt.At(-1, "encrypted parts, or a signature, in a file that names no encryption")

// use sets what all modules have in common.
func (f *File) use(encryption thrift.Arm, aad *thrift.AAD, o *Options) {
	f.stored = *aad
	prefix, known := aad.Prefix, []byte(nil)
	if o.Prefix != nil && encryption != 0 {
		known = o.Prefix(o.Name)
	}
	switch f.encryption = encryption; {
	case encryption == 0:
		f.fault = errUnnamed
	case encryption != gcmV1 && encryption != gcmCtrV1:
		f.fault = corrupt.NotSupported("encryption with algorithm ", int64(encryption))
	case known == nil && aad.SupplyPrefix:
		f.fault = corrupt.IsEncrypted("the file does not have the AAD prefix of its encryption, and none is given")
	case known != nil && !aad.SupplyPrefix && !bytes.Equal(prefix, known):
		f.fault = corrupt.At(-1, "the file has another AAD prefix than it must have")
	case known != nil && len(aad.FileUnique) != uniqueSize:
		f.fault = corrupt.At(-1, "the file's AAD prefix cannot be checked: its aad_file_unique has ", len(aad.FileUnique), " bytes, not ", uniqueSize)
	case known != nil:
		prefix = known
	}
	f.aad = append(bytes.Clone(prefix), aad.FileUnique...)
}

// openFooter returns the plain bytes of an encrypted footer.
func (f *File) openFooter(ctx context.Context, b []byte, o *Options) ([]byte, error) {
	if o.Keys == nil {
		return nil, noKeys("footer")
	}
	crypto, err := thrift.ParseFileCrypto(b)
	if err != nil {
		return nil, corrupt.Within(err, "file crypto metadata", 0)
	}
	f.footerKey = crypto.KeyMetadata
	f.use(crypto.Encryption, &crypto.AAD, o)
	k, err := f.key(ctx, "footer", f.footerKey, true)
	if err != nil {
		return nil, err
	}
	module, _, err := page.Cut(b[crypto.Size:])
	if err != nil {
		return nil, corrupt.Within(err, "footer", crypto.Size)
	}
	plain, err := k.openGCM(nil, module, page.Footer, f.appendAAD(nil, page.Footer))
	if err != nil && len(f.aad) == 0 {
		// DuckDB encrypts all of a file with the footer's key, authenticates no places with its
		// modules, does not say of columns that they are encrypted, and leaves what encryption
		// adds out of the sizes in page headers.
		if bare, fault := k.openGCM(nil, module, page.Footer, nil); fault == nil {
			f.unbound = true
			return bare, nil
		}
	}
	return plain, err
}

// Complete makes an entry of a chunk say that it is encrypted, if its writer left that out.
func (f *File) Complete(entry *thrift.ColumnChunk) {
	if f.unbound && entry.Crypto.Kind == 0 {
		entry.Crypto.Kind = 1
	}
}

// verify returns an error unless a plain footer is signed with the footer's key.
func (f *File) verify(ctx context.Context, metadata, signature []byte) error {
	if len(signature) != nonceSize+tagSize {
		return corrupt.At(-1, "footer of a file with encrypted columns: a signature of ", len(signature), " bytes, not ", nonceSize+tagSize)
	}
	k, err := f.key(ctx, "footer", f.footerKey, true)
	if err != nil {
		return err
	}
	return k.verify(metadata, signature, f.appendAAD(nil, page.Footer))
}
