package thrift

import (
	"bytes"
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// What stands in front of an encrypted footer is read as the generated code reads it, whole
// and cut short.
func TestFileCrypto(t *testing.T) {
	yes, no := true, false
	for _, w := range []*wire.FileCryptoMetaData{
		{EncryptionAlgorithm: &wire.EncryptionAlgorithm{AES_GCM_V1: &wire.AesGcmV1{}}},
		{EncryptionAlgorithm: &wire.EncryptionAlgorithm{AES_GCM_V1: &wire.AesGcmV1{AadPrefix: []byte("p"), AadFileUnique: []byte("u"), SupplyAadPrefix: &no}}, KeyMetadata: []byte("k")},
		{EncryptionAlgorithm: &wire.EncryptionAlgorithm{AES_GCM_CTR_V1: &wire.AesGcmCtrV1{AadFileUnique: []byte{0, 255}, SupplyAadPrefix: &yes}}, KeyMetadata: []byte{}},
	} {
		b := encode(t, w)
		var back wire.FileCryptoMetaData
		if _, err := strictly(b, &back); err != nil || !back.Equals(w) {
			t.Fatal(err)
		}
		got, err := ParseFileCrypto(append(bytes.Clone(b), "encrypted"...))
		want := FileCrypto{Encryption: 1, KeyMetadata: w.KeyMetadata, Size: len(b)}
		if ctr := w.EncryptionAlgorithm.AES_GCM_CTR_V1; ctr != nil {
			want.Encryption = 2
			want.AAD = AAD{ctr.AadPrefix, ctr.AadFileUnique, ctr.GetSupplyAadPrefix()}
		} else {
			gcm := w.EncryptionAlgorithm.AES_GCM_V1
			want.AAD = AAD{gcm.AadPrefix, gcm.AadFileUnique, gcm.GetSupplyAadPrefix()}
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, "file crypto metadata", got, want)
		for n := range b {
			if _, err := ParseFileCrypto(b[:n]); !errors.Is(err, ErrShort) {
				t.Errorf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	}
	if _, err := ParseFileCrypto(encode(t, &wire.KeyValue{Key: ""})); !errors.Is(err, corrupt.Bad) {
		t.Errorf("no algorithm: %v", err)
	}
	if c, err := ParseFileCrypto([]byte{0x1c, 0x3c, 0, 0, 0}); err != nil || c.Encryption != 3 {
		t.Errorf("an algorithm of later days: %+v, %v", c, err)
	}
}

// An encrypted entry of a chunk, once decrypted, is read as the same entry in a footer.
func TestParseColumnMetaData(t *testing.T) {
	w := fullChunk()
	b := encode(t, w.MetaData)
	got, err := ParseColumnMetaData(b)
	want := columnChunkOf(w).Meta
	if err != nil {
		t.Fatal(err)
	}
	same(t, "column metadata", got, want)
	for n := range b {
		if _, err := ParseColumnMetaData(b[:n]); !errors.Is(err, ErrShort) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

// A footer with any chunk whose entry says that it is encrypted is told from others.
func TestHasCrypto(t *testing.T) {
	for want, c := range map[bool][]*wire.ColumnChunk{
		false: {{}, {MetaData: fullChunk().MetaData}},
		true: {
			{CryptoMetadata: &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_FOOTER_KEY: &wire.EncryptionWithFooterKey{}}},
			{EncryptedColumnMetadata: []byte{}}, {EncryptedColumnMetadata: []byte("sealed"), MetaData: fullChunk().MetaData},
		},
	} {
		for _, last := range c {
			plain := &wire.ColumnChunk{MetaData: fullChunk().MetaData}
			w := &wire.FileMetaData{Schema: []*wire.SchemaElement{}, RowGroups: []*wire.RowGroup{
				{Columns: []*wire.ColumnChunk{plain, plain}}, {Columns: []*wire.ColumnChunk{plain, last}},
			}}
			f, err := ParseFooter(encode(t, w))
			if err != nil {
				t.Fatal(err)
			}
			if f.HasCrypto() != want {
				t.Errorf("%v: HasCrypto is %v", last, !want)
			}
		}
	}
}
