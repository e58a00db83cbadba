package scanner

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// withFooter returns a file with another footer.
func withFooter(file, footer []byte) []byte {
	trailer := len(file) - 8
	start := trailer - int(binary.LittleEndian.Uint32(file[trailer:]))
	b := append(bytes.Clone(file[:start]), footer...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(footer))), file[trailer+4:]...)
}

// signedFooter returns the footer of a file, and its signature.
func signedFooter(t *testing.T, file []byte) (m *wire.FileMetaData, signature []byte) {
	t.Helper()
	trailer := len(file) - 8
	b := file[trailer-int(binary.LittleEndian.Uint32(file[trailer:])) : trailer]
	m = wire.NewFileMetaData()
	n, err := thrift.Decode(b, m)
	if err != nil {
		t.Fatal(err)
	}
	return m, b[n:]
}

func encoded(t *testing.T, m *wire.FileMetaData) []byte {
	t.Helper()
	b, err := gen.Thrift(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// forge makes the statistics of the plain column p deny most of its values.
func forge(m *wire.FileMetaData) {
	for _, g := range m.RowGroups {
		s := g.Columns[3].MetaData.Statistics
		s.MinValue, s.MaxValue = make([]byte, 8), make([]byte, 8)
	}
}

// TestStrippedSignature: a file whose footer was signed, and is altered, does not open because
// it no longer says that it is signed: neither if traces of encryption are left, nor, if
// encryption is required, without any.
func TestStrippedSignature(t *testing.T) {
	honest := scannertest.Write(t, secrets(&gen.Encryption{PlainFooter: true, Prefix: "the table"}, gen.Column{}))
	open := func(o OpenOptions, b []byte) error {
		_, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(b))
		return err
	}
	keys := OpenOptions{Keys: keysOf(testKeys), AADPrefix: func(string) []byte { return []byte("the table") }}
	required := keys
	required.RequireEncryption = true
	for _, o := range []OpenOptions{keys, required} {
		if err := open(o, honest); err != nil {
			t.Error(err)
		}
		if err := open(o, scannertest.Write(t, secrets(&gen.Encryption{Prefix: "the table"}, gen.Column{}))); err != nil {
			t.Error(err)
		}
	}
	for left, strip := range map[string]func(m *wire.FileMetaData, c *wire.ColumnChunk){
		"the signature":      nil,
		"the signing key":    func(m *wire.FileMetaData, _ *wire.ColumnChunk) { m.FooterSigningKeyMetadata = []byte("kf") },
		"crypto metadata":    func(_ *wire.FileMetaData, c *wire.ColumnChunk) { c.EncryptedColumnMetadata = nil },
		"encrypted metadata": func(_ *wire.FileMetaData, c *wire.ColumnChunk) { c.CryptoMetadata = nil },
		"nothing of encryption": func(_ *wire.FileMetaData, c *wire.ColumnChunk) {
			c.CryptoMetadata, c.EncryptedColumnMetadata = nil, nil
		},
		"a file never encrypted": nil,
	} {
		m, signature := signedFooter(t, honest)
		m.EncryptionAlgorithm, m.FooterSigningKeyMetadata = nil, nil
		forge(m)
		for _, g := range m.RowGroups {
			for i, c := range g.Columns {
				if i != len(g.Columns)-1 || strip == nil {
					c.CryptoMetadata, c.EncryptedColumnMetadata = nil, nil
				}
				if strip != nil {
					strip(m, c)
				}
			}
		}
		stripped := withFooter(honest, encoded(t, m))
		switch left {
		case "the signature":
			stripped = withFooter(honest, append(encoded(t, m), signature...))
		case "a file never encrypted":
			stripped = scannertest.Write(t, secrets(nil, gen.Column{}))
		}
		plain := left == "nothing of encryption" || left == "a file never encrypted"
		if err := open(keys, stripped); plain != (err == nil) || err != nil && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "names no encryption")) {
			t.Errorf("%s is left: %v", left, err)
		}
		if err := open(required, stripped); !errors.Is(err, ErrCorrupt) || plain && !strings.Contains(err.Error(), "the file is not encrypted, and it must be") {
			t.Errorf("%s is left, encryption is required: %v", left, err)
		}
		if left == "the signing key" {
			if err := open(OpenOptions{}, stripped); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s is left, no keys: %v", left, err)
			}
		}
		for _, b := range [][]byte{stripped, honest} {
			if err := open(OpenOptions{RequireEncryption: true}, b); !errors.Is(err, ErrEncrypted) || !strings.Contains(err.Error(), "no keys are given") {
				t.Errorf("encryption is required, no keys: %v", err)
			}
		}
	}
}

// TestShorterPrefix: a file does not pass for one with a prefix that its own begins with.
func TestShorterPrefix(t *testing.T) {
	for _, ctr := range []bool{false, true} {
		file := scannertest.Write(t, secrets(&gen.Encryption{Prefix: "table 10", CTR: ctr}, gen.Column{}))
		trailer := len(file) - 8
		footer := file[trailer-int(binary.LittleEndian.Uint32(file[trailer:])) : trailer]
		for _, prefix := range []string{"table 10", "table 1", "table", ""} {
			for _, supply := range []bool{false, true} {
				var c wire.FileCryptoMetaData
				n, err := thrift.Decode(footer, &c)
				if err != nil {
					t.Fatal(err)
				}
				move := func(stored, unique *[]byte, supplied **bool) {
					*unique = append([]byte("table 10"[len(prefix):]), *unique...)
					if *stored = []byte(prefix); supply {
						*stored, *supplied = nil, &supply
					}
				}
				if a := c.EncryptionAlgorithm; ctr {
					move(&a.AES_GCM_CTR_V1.AadPrefix, &a.AES_GCM_CTR_V1.AadFileUnique, &a.AES_GCM_CTR_V1.SupplyAadPrefix)
				} else {
					move(&a.AES_GCM_V1.AadPrefix, &a.AES_GCM_V1.AadFileUnique, &a.AES_GCM_V1.SupplyAadPrefix)
				}
				crypto, err := gen.Thrift(&c)
				if err != nil {
					t.Fatal(err)
				}
				moved := withFooter(file, append(crypto, footer[n:]...))
				o := OpenOptions{Keys: keysOf(testKeys), AADPrefix: func(string) []byte { return []byte(prefix) }}
				_, err = o.OpenSource(t.Context(), "f", fetch.FromBytes(moved))
				if prefix == "table 10" && err != nil || prefix != "table 10" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "aad_file_unique")) {
					t.Errorf("prefix %q, supplied %v: %v", prefix, supply, err)
				}
			}
		}
	}
}

// TestFooterChangesAfterVerification: what is parsed of a signed footer, at opening and later, is
// what was verified, also if the source shows memory that changes. Keys are requested before
// the signature is verified, and after the footer was parsed.
func TestFooterChangesAfterVerification(t *testing.T) {
	for _, padding := range []int{10, 40 << 10, 100 << 10} { // the last ones are longer than what is copied in any case
		shape := secrets(&gen.Encryption{PlainFooter: true}, gen.Column{})
		shape.KeyValues = map[string]string{"padding": strings.Repeat("x", padding)}
		honest := scannertest.Write(t, shape)
		m, signature := signedFooter(t, honest)
		forge(m)
		forged := withFooter(honest, append(encoded(t, m), signature...))
		if len(forged) != len(honest) || bytes.Equal(forged, honest) {
			t.Fatal("the forged file has another length")
		}
		shown := bytes.Clone(forged)
		o := OpenOptions{Keys: func(ctx context.Context, metadata []byte) ([]byte, error) {
			copy(shown, honest)
			return keysOf(testKeys)(ctx, metadata)
		}}
		if _, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(shown)); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "signature does not match") {
			t.Errorf("padding %d, the footer is honest once it is parsed: %v", padding, err)
		}
		f, err := o.OpenSource(t.Context(), "f", fetch.FromBytes(shown))
		if err != nil {
			t.Fatal(err)
		}
		copy(shown, forged)
		if greatest, err := f.Max(t.Context(), "p", Options{}); err != nil || greatest.String() != "499.5" {
			t.Errorf("padding %d: the greatest value is %v, %v", padding, greatest, err)
		}
	}
}
