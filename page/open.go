package page

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Module is a piece of a file that is encrypted as one. The numbers are those
// that the format mixes into each module's signature.
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

// String returns what the module is, in words.
func (m Module) String() string {
	names := [...]string{"footer", "column metadata", "data page", "dictionary page", "data page header",
		"dictionary page header", "column index", "offset index", "Bloom filter header", "Bloom filter bits"}
	if int(m) < len(names) {
		return names[m]
	}
	return "unknown module"
}

// Plain reports whether Open returns what it is given: modules of such chunks
// need not pass it.
func Plain(crypto *thrift.Crypto) bool { return crypto == nil || crypto.Kind == 0 }

// Open returns the plain bytes of a module, given those of the file. Whoever
// reads one passes it through here, so that decryption has one place: for now,
// plain modules come back as they are and encrypted ones are refused.
//
// crypto is that of the module's column chunk; nil for modules of plain files.
// rowGroup, column and page are where the module stands; page counts data
// pages, and is -1 where the module belongs to none.
func Open(crypto *thrift.Crypto, m Module, rowGroup, column, page int, b []byte) ([]byte, error) {
	if Plain(crypto) {
		return b, nil
	}
	key := "the footer's key"
	if len(crypto.Path) > 0 {
		key = "the key of column "
		for i, name := range crypto.Path {
			if i > 0 {
				key += "."
			}
			key += name
		}
	}
	return nil, corrupt.IsEncrypted(m, " of column ", column, " in row group ", rowGroup, " is encrypted with ", key)
}
