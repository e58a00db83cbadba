package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
)

// A file of a Folder:
//
//	0   "winnow1\n"          what the file is
//	8   hash of its key      SHA-256, as in its name
//	40  checksum             CRC-32C of the hash and the data, little endian
//	44  data                 to the end of the file
const (
	magic      = "winnow1\n"
	checksumAt = int64(len(magic)) + sha256.Size
	headerSize = checksumAt + 4
)

func encode(hash fileHash, data []byte) []byte {
	b := make([]byte, 0, headerSize+int64(len(data)))
	b = append(append(b, magic...), hash[:]...)
	b = binary.LittleEndian.AppendUint32(b, checksum(hash, data))
	return append(b, data...)
}

// decode returns the data of a file with the key of a hash; nil if the file is not as encode
// made it.
func decode(b []byte, hash fileHash) []byte {
	if int64(len(b)) < headerSize || string(b[:len(magic)]) != magic || fileHash(b[len(magic):checksumAt]) != hash {
		return nil
	}
	data := b[headerSize:]
	if binary.LittleEndian.Uint32(b[checksumAt:]) != checksum(hash, data) {
		return nil
	}
	return data
}

func checksum(hash fileHash, data []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(hash[:], table), table, data)
}
