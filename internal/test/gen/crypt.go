package gen

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Encryption is how a file is encrypted, with the format's modular encryption.
type Encryption struct {
	Footer      Key
	PlainFooter bool // the footer is signed, not encrypted
	CTR         bool // AES_GCM_CTR_V1: pages without tags
	Prefix      string
	HidePrefix  bool                  // Prefix does not stand in the file
	AsDuckDB    bool                  // as DuckDB does it: all with the footer's key, against the format
	Column      func(path string) Key // no Bytes: the column is plain. Nil: all have the footer's key
}

// Key is a key, and what stands in the file for it.
type Key struct {
	Metadata string // "": none
	Bytes    string
}

// The kinds of modules, as they stand in what is authenticated.
const (
	footerModule = iota
	metadataModule
	dataPageModule
	dictionaryPageModule
	dataHeaderModule
	dictionaryHeaderModule
	columnIndexModule
	offsetIndexModule
	bloomHeaderModule
	bloomBitsModule
)

const uniqueToFile = "\x01unique\xff"

// sealer encrypts modules with one key. A nil sealer leaves them as they are.
type sealer struct {
	*Encryption
	key    Key
	place  []byte // the numbers of row group and column; nil for a footer
	random *rand.Rand
}

// sealerOf returns the sealer of a column chunk, nil if it is plain.
func (f *File) sealerOf(rowGroup, column int, path []string, random *rand.Rand) *sealer {
	e := f.Encryption
	if e == nil {
		return nil
	}
	key := e.Footer
	if e.Column != nil && !e.AsDuckDB {
		key = e.Column(strings.Join(path, "."))
	}
	if key.Bytes == "" {
		return nil
	}
	place := binary.LittleEndian.AppendUint16(nil, uint16(rowGroup))
	return &sealer{e, key, binary.LittleEndian.AppendUint16(place, uint16(column)), random}
}

// aad returns what is authenticated with a module; page is -1 if it is of no data page.
func (s *sealer) aad(module byte, page int) []byte {
	if s.AsDuckDB {
		return nil
	}
	b := append([]byte(s.Prefix+uniqueToFile), module)
	if module != footerModule {
		b = append(b, s.place...)
	}
	if page >= 0 {
		b = binary.LittleEndian.AppendUint16(b, uint16(page))
	}
	return b
}

func (s *sealer) nonce() []byte { return noise(s.random, 12) }

// seal returns a module as it stands in the file: its length, a nonce, and the encrypted
// bytes, with a tag unless it is a page of a file with CTR.
func (s *sealer) seal(module byte, page int, plain []byte) []byte {
	if s == nil {
		return plain
	}
	block, err := aes.NewCipher([]byte(s.key.Bytes))
	if err != nil {
		panic(err) // the test's own mistake
	}
	out := s.nonce()
	if s.CTR && (module == dataPageModule || module == dictionaryPageModule) {
		sealed := make([]byte, len(plain))
		cipher.NewCTR(block, append(out[:12:12], 0, 0, 0, 1)).XORKeyStream(sealed, plain)
		out = append(out, sealed...)
	} else {
		gcm, err := cipher.NewGCM(block)
		if err != nil {
			panic(err)
		}
		out = gcm.Seal(out, out, plain, s.aad(module, page))
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(out))), out...)
}

// sealMetadata makes a chunk's entry in the footer that of an encrypted one.
func (s *sealer) sealMetadata(path []string, m *wire.ColumnChunk) error {
	if s == nil || s.AsDuckDB {
		return nil
	}
	m.CryptoMetadata = &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_FOOTER_KEY: &wire.EncryptionWithFooterKey{}}
	if s.key != s.Footer {
		own := &wire.EncryptionWithColumnKey{PathInSchema: path}
		if s.key.Metadata != "" {
			own.KeyMetadata = []byte(s.key.Metadata)
		}
		m.CryptoMetadata = &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_COLUMN_KEY: own}
	} else if !s.PlainFooter {
		return nil // the footer's encryption is enough
	}
	plain, err := Thrift(m.MetaData)
	if err != nil {
		return err
	}
	m.EncryptedColumnMetadata = s.seal(metadataModule, -1, plain)
	if s.PlainFooter {
		redacted := *m.MetaData
		redacted.Statistics, redacted.SizeStatistics = nil, nil
		m.MetaData = &redacted
	} else {
		m.MetaData = nil
	}
	return nil
}

// algorithm returns what the file says of its encryption.
func (e *Encryption) algorithm() *wire.EncryptionAlgorithm {
	gcm := &wire.AesGcmV1{AadFileUnique: []byte(uniqueToFile)}
	if e.AsDuckDB {
		return &wire.EncryptionAlgorithm{AES_GCM_V1: &wire.AesGcmV1{}}
	}
	if e.HidePrefix {
		gcm.SupplyAadPrefix = &e.HidePrefix
	} else if e.Prefix != "" {
		gcm.AadPrefix = []byte(e.Prefix)
	}
	if e.CTR {
		ctr := wire.AesGcmCtrV1(*gcm)
		return &wire.EncryptionAlgorithm{AES_GCM_CTR_V1: &ctr}
	}
	return &wire.EncryptionAlgorithm{AES_GCM_V1: gcm}
}

// sealFooter returns the footer as it stands in the file: encrypted behind its crypto
// metadata, or plain before its signature.
func (e *Encryption) sealFooter(m *wire.FileMetaData, random *rand.Rand) ([]byte, error) {
	s := &sealer{Encryption: e, key: e.Footer, random: random}
	var metadata []byte
	if e.Footer.Metadata != "" {
		metadata = []byte(e.Footer.Metadata)
	}
	if e.PlainFooter {
		m.EncryptionAlgorithm, m.FooterSigningKeyMetadata = e.algorithm(), metadata
	}
	footer, err := Thrift(m)
	if err != nil {
		return nil, err
	}
	sealed := s.seal(footerModule, -1, footer)
	if e.PlainFooter { // the nonce and the tag are the signature
		return append(append(footer, sealed[4:16]...), sealed[len(sealed)-16:]...), nil
	}
	crypto, err := Thrift(&wire.FileCryptoMetaData{EncryptionAlgorithm: e.algorithm(), KeyMetadata: metadata})
	return append(crypto, sealed...), err
}
