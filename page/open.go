package page

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// Module is a piece of a file that is encrypted by itself. The numbers are those
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

// Plain reports whether modules of a chunk with this crypto are not encrypted: Open
// returns their bytes unchanged.
func Plain(crypto *thrift.Crypto) bool { return crypto == nil || crypto.Kind == 0 }

// Open returns the plain bytes of a module, given its bytes in the file. Every
// reader of a module calls it, so that decryption would need one place only. It
// returns plain modules unchanged; for encrypted ones it returns an error.
//
// crypto is that of the module's column chunk; nil for modules of plain files.
// rowGroup, column and page locate the module; page is the ordinal of the data
// page, -1 if the module belongs to none. Safe for concurrent use.
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
