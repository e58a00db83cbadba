package thrift

import (
	"context"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// TestDocExample reads the page header that the package comment takes apart.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	must(t, err)
	_, example, _ := strings.Cut(string(doc), "A page header of 19 bytes")
	var b []byte
	for _, line := range strings.Split(example, "\n")[2:] {
		var bytes string
		for _, word := range strings.Fields(strings.TrimPrefix(line, "//")) {
			if len(word) != 2 {
				break
			}
			bytes += word
		}
		if bytes == "" {
			break
		}
		part, err := hex.DecodeString(bytes)
		must(t, err)
		b = append(b, part...)
	}
	var h PageHeader
	n, err := ReadPageHeader(b, &h)
	want := PageHeader{UncompressedSize: 300, CompressedSize: 100, NumValues: 2, IsCompressed: true,
		Encoding: EncodingRLEDictionary, DefinitionEncoding: EncodingRLE, RepetitionEncoding: EncodingRLE}
	if err != nil || n != len(b) || !reflect.DeepEqual(h, want) {
		t.Errorf("% x: %d bytes, %v, %+v", b, n, err, h)
	}
}

// All structs of the metadata, written by the Thrift library, come back the
// same through our protocol.
func TestDecodeWhatTheLibraryWrites(t *testing.T) {
	for _, w := range []apache.TStruct{fullFooter(), wideFooter(20, 3), columnIndex(100), offsetIndex(100), bloomFilterHeader(),
		pageHeaders()[0], pageHeaders()[1], pageHeaders()[2],
		&wire.FileCryptoMetaData{KeyMetadata: []byte{}, EncryptionAlgorithm: &wire.EncryptionAlgorithm{
			AES_GCM_V1: &wire.AesGcmV1{AadPrefix: []byte("prefix"), SupplyAadPrefix: ptr(false)}}}} {
		b := encode(t, w)
		got := reflect.New(reflect.TypeOf(w).Elem()).Interface().(apache.TStruct)
		n, err := strictly(append(b, 1, 2, 3), got)
		if err != nil || n != len(b) {
			t.Fatalf("%T: %d of %d bytes, %v", w, n, len(b), err)
		}
		if again := encode(t, got); string(again) != string(b) {
			t.Errorf("%T comes back as something else", w)
		}
	}
}

// Our walk over unknown values stops where the Thrift library's does.
func TestSkipAgainstTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	seeds := [][]byte{encode(t, fullFooter()), encode(t, columnIndex(9)), encode(t, pageHeaders()[2]),
		unhex(t, "13 7f 1a 18 01 61 1b 02 85 01 61 04 00 06 1b 00 1d 000102030405060708090a0b0c0d0e0f 17 0102030405060708 19 29 15 02 25 02 04 00")}
	both := 0
	for i := range dtest.Rounds(t, 10000) {
		b := seeds[i%len(seeds)]
		if i >= len(seeds) {
			b = mutate(r, b)
		}
		n, f := skipStruct(b, 0, 0, nil)
		buffer := apache.NewTMemoryBufferLen(len(b))
		buffer.Write(b)
		err := apache.Skip(context.Background(), apache.NewTCompactProtocolConf(buffer, nil), apache.STRUCT, 1000)
		if f == noFault && err == nil {
			both++
			if want := len(b) - buffer.Len(); n != want {
				t.Fatalf("% x: at %d, want %d", b, n, want)
			}
		}
		if i < len(seeds) && (f != noFault || err != nil || n != len(b)) {
			t.Fatalf("seed %d: %d of %d, %v, %v", i, n, len(b), f.at(n), err)
		}
	}
	if both < 100 {
		t.Errorf("only %d inputs were good for both", both)
	}
}

// Generated code gives up the errors that a protocol returns; strictly finds
// them again.
func TestDecodeKeepsErrors(t *testing.T) {
	_, err := strictly(unhex(t, "15 00 15 02 15 8080808010"), wire.NewPageHeader())
	wantCorrupt(t, err)
	if want := "byte 5: integer of more than 32 bits"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	_, err = strictly(unhex(t, "15 00 00"), wire.NewPageHeader())
	wantCorrupt(t, err)
	if !strings.Contains(err.Error(), "UncompressedPageSize") || errors.Is(err, ErrShort) {
		t.Errorf("got %q", err)
	}
	if _, err = strictly(unhex(t, "15 00"), wire.NewPageHeader()); !errors.Is(err, ErrShort) {
		t.Errorf("got %q", err)
	}
}
