package decrypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// twoPasses is AES-GCM that reads all ciphertext for the tag before it reads any to decrypt,
// and calls between in between.
type twoPasses struct {
	cipher.AEAD
	block   cipher.Block
	between func()
}

func (c *twoPasses) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	if _, err := c.AEAD.Open(nil, nonce, sealed, aad); err != nil {
		return nil, err
	}
	c.between()
	sealed = sealed[:len(sealed)-tagSize]
	plain := slices.Grow(dst, len(sealed))[:len(sealed)] // no call has anything in dst
	iv := append(bytes.Clone(nonce), 0, 0, 0, 2)         // the tag has 1
	cipher.NewCTR(c.block, iv).XORKeyStream(plain, sealed)
	return plain, nil
}

// TestBytesChangeAfterTheTag: what is decrypted of each module is what the tag was verified
// of, though the source's memory changes in between.
func TestBytesChangeAfterTheTag(t *testing.T) {
	block, err := aes.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	var source []byte // what the file has, as a mapping of it shows it
	changes := 0
	aead := &twoPasses{gcm, block, func() {
		changes++
		for i := range source {
			source[i] ^= 1
		}
	}}
	seal := func(plain, aad []byte) {
		out := append(binary.LittleEndian.AppendUint32(nil, uint32(nonceSize+len(plain)+tagSize)), "twelve bytes"...)
		source = append(source, gcm.Seal(out, out[lengthSize:], plain, aad)...)
	}
	plain := bytes.Repeat([]byte("plain bytes, "), 40)
	for _, unbound := range []bool{false, true} {
		file := &File{encryption: gcmV1, unbound: unbound, aad: []byte("prefix, unique")}
		c := &chunk{file, &key{block, aead}, 1, 2}
		aad := func(m page.Module) []byte {
			switch {
			case unbound:
				return nil
			case m == page.DataPage || m == page.DataPageHeader:
				return append([]byte("prefix, unique"), byte(m), 1, 0, 2, 0, 3, 0)
			}
			return append([]byte("prefix, unique"), byte(m), 1, 0, 2, 0)
		}
		for m := page.ColumnMetaData; m <= page.BloomFilterBitset; m++ {
			for _, room := range []int{0, 8, 4096} {
				source = source[:0]
				seal(plain, aad(m))
				got, err := page.Open(c, m, 3, make([]byte, room), source)
				if err != nil || !bytes.Equal(got, plain) {
					t.Errorf("%v, room for %d bytes: %v, altered values: %v", m, room, err, err == nil)
				}
			}
		}
		source = source[:0]
		seal(plain, aad(page.DataPage))
		u, err := page.Options{Cipher: c}.Unpacker(0)
		if err != nil {
			t.Fatal(err)
		}
		body, err := u.Open(nil, &thrift.PageHeader{Type: thrift.DataPage}, 3, source)
		if err != nil || !bytes.Equal(body, plain) {
			t.Errorf("page body: %v, altered values: %v", err, err == nil)
		}
	}
	if changes != 2*(9*3+1) {
		t.Errorf("the source changed %d times", changes)
	}
}
