package page

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Module is a part of a file that is encrypted by itself. The numbers are those
// that the format puts into a module's AAD (additional authenticated data).
type Module uint8

// The modules of a file.
const (
	Footer               Module = 0
	ColumnMetaData       Module = 1
	DataPage             Module = 2
	DictionaryPage       Module = 3
	DataPageHeader       Module = 4
	DictionaryPageHeader Module = 5
	ColumnIndex          Module = 6
	OffsetIndex          Module = 7
	BloomFilterHeader    Module = 8
	BloomFilterBitset    Module = 9
)

// String returns the module's name.
func (m Module) String() string {
	names := [...]string{"footer", "column metadata", "data page", "dictionary page", "data page header",
		"dictionary page header", "column index", "offset index", "Bloom filter header", "Bloom filter bits"}
	if int(m) < len(names) {
		return names[m]
	}
	return "unknown module"
}

// Cipher decrypts the modules of a column chunk. Safe for concurrent use.
type Cipher interface {
	// Decrypt returns the plain bytes of a module, given its bytes in the file from their
	// length on. They are in dst's memory, from its start, if it has room for b, else in new
	// memory. page is the ordinal of the data page, -1 if the module belongs to none. b may be
	// memory that changes meanwhile: what is decrypted is what was verified.
	Decrypt(dst, b []byte, m Module, page int) ([]byte, error)

	// Overhead returns how many bytes longer than its plain bytes the body of a page is. It is
	// negative if the sizes in headers, against the format, do not count these bytes.
	Overhead() int32
}

// overheadOf returns the bytes that a chunk's encryption adds to a page, and how many of them
// the sizes in page headers lack.
func overheadOf(c Cipher) (added, missing int32) {
	if c == nil {
		return 0, 0
	}
	if added = c.Overhead(); added < 0 {
		return -added, -added
	}
	return added, 0
}

// Open returns the plain bytes of a module, given its bytes in the file. Every reader of a
// module calls it, or has an Unpacker do so. c is the cipher of the module's column chunk:
// with nil, for plain chunks, Open returns b. dst and page are those of Decrypt.
func Open(c Cipher, m Module, page int, dst, b []byte) ([]byte, error) {
	if c == nil {
		return b, nil
	}
	return c.Decrypt(dst, b, m, page)
}

// lengthSize is the size of the length in front of each encrypted module.
//
//	length, 4 bytes | nonce, 12 bytes | encrypted bytes | tag, 16 bytes
const lengthSize = 4

// How many bytes longer than its plain bytes an encrypted module is. Pages of
// AES_GCM_CTR_V1 have no tag.
const (
	GCMOverhead = CTROverhead + 16
	CTROverhead = lengthSize + 12
)

// Cut returns the first encrypted module of b, and the bytes after it.
func Cut(b []byte) (module, rest []byte, err error) {
	size, err := moduleSize(b)
	if err == nil && size > int64(len(b)) {
		err = corrupt.At(0, "an encrypted module of ", size, " bytes where there are ", len(b))
	}
	if err != nil {
		return nil, nil, err
	}
	return b[:size:size], b[size:], nil
}

// moduleSize returns the size of the encrypted module that starts with b, its length included.
func moduleSize(b []byte) (int64, error) {
	if len(b) < lengthSize {
		return 0, corrupt.At(0, "an encrypted module of ", len(b), " bytes")
	}
	return lengthSize + int64(binary.LittleEndian.Uint32(b)), nil
}

// OpenBloom returns the plain bytes of a Bloom filter, whose header and bits are two modules.
func OpenBloom(c Cipher, b []byte) ([]byte, error) {
	header, rest, err := Cut(b)
	if err != nil {
		return nil, corrupt.Within(err, BloomFilterHeader.String(), 0)
	}
	bits, _, err := Cut(rest)
	if err != nil {
		return nil, corrupt.Within(err, BloomFilterBitset.String(), 0)
	}
	plain, err := Open(c, BloomFilterHeader, -1, nil, header)
	if err != nil {
		return nil, err
	}
	var h thrift.BloomFilterHeader
	n, err := thrift.ReadBloomFilterHeader(plain, &h)
	if err != nil {
		return nil, corrupt.Within(err, BloomFilterHeader.String(), 0)
	}
	plainBits, err := Open(c, BloomFilterBitset, -1, nil, bits)
	return append(plain[:n], plainBits...), err // parquet-java encrypts zeros with a header
}
