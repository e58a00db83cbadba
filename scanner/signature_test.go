package scanner

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// keysOf returns a key for each key metadata.
func keysOf(known map[string]string) func(context.Context, []byte) ([]byte, error) {
	return func(_ context.Context, metadata []byte) ([]byte, error) {
		if key, ok := known[string(metadata)]; ok {
			return []byte(key), nil
		}
		return nil, fmt.Errorf("no key %q: %w", metadata, os.ErrNotExist)
	}
}

// signedFile returns a file whose footer says that it has encrypted columns, and is signed. The
// fields of the footer are written by hand, as the format describes them.
func signedFile(t *testing.T, key, prefix, unique string, supply bool) (b []byte, footerAt int) {
	t.Helper()
	plain := small(t)
	trailer := len(plain) - 8
	footerAt = trailer - int(binary.LittleEndian.Uint32(plain[trailer:]))
	m := bytes.Clone(plain[footerAt : trailer-1])             // without the stop of the struct
	m = append(m, 0x0c, 8<<1, 0x1c, 0x18, byte(len(prefix)))  // field 8: union, arm 1: struct, field 1: bytes
	m = append(append(m, prefix...), 0x18, byte(len(unique))) // field 2: bytes
	m = append(m, unique...)
	if supply {
		m = append(m, 0x11) // field 3: true
	}
	m = append(m, 0, 0, 0x18, 1, 'k', 0) // two stops, field 9: bytes, stop
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	nonce := []byte("twelve bytes")
	sealed := gcm.Seal(nil, nonce, m, []byte(prefix+unique+"\x00"))
	b = append(bytes.Clone(plain[:footerAt]), m...)
	b = append(append(b, nonce...), sealed[len(m):]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)-footerAt))
	return append(b, "PAR1"...), footerAt
}

func TestFooterSignature(t *testing.T) {
	const key = "0123456789abcdef"
	o := OpenOptions{Keys: keysOf(map[string]string{"k": key}), Metadata: cache.New(1 << 20)}
	open := func(o OpenOptions, b []byte, name string) error {
		id := fetch.Identity{Name: name, Tag: "1"}
		_, err := o.OpenSource(t.Context(), name, fetch.WithTraits(fetch.FromBytes(b), fetch.Traits{Identity: id}))
		return err
	}
	good, at := signedFile(t, key, "prefix", "unique", false)
	for range 2 { // the second time from the cache
		if err := open(o, good, "good"); err != nil {
			t.Error(err)
		}
	}
	for _, wrong := range []string{"0123456789abcdeF", "0123456789abcdef01234567", "short", ""} {
		if err := open(OpenOptions{Keys: keysOf(map[string]string{"k": wrong}), Metadata: o.Metadata}, good, "good"); !errors.Is(err, map[int]error{len(key): ErrCorrupt, 24: ErrCorrupt, 20: ErrEncrypted, 5: ErrEncrypted, 0: ErrEncrypted}[len(wrong)]) {
			t.Errorf("key %q: %v", wrong, err)
		}
	}
	var e *Error
	if err := open(OpenOptions{Keys: keysOf(nil)}, good, "good"); !errors.Is(err, os.ErrNotExist) || !errors.As(err, &e) || e.File != "good" {
		t.Errorf("no key: %v", err)
	}
	if err := open(OpenOptions{}, good, "good"); err != nil {
		t.Errorf("not verified: %v", err)
	}
	if err := open(o, small(t), "plain"); err != nil {
		t.Errorf("a file without encryption: %v", err)
	}
	// Each bit of the footer and its signature counts.
	unverified := 0
	for i := at; i < len(good)-8; i++ {
		b := bytes.Clone(good)
		b[i] ^= 1 << (i % 8)
		if open(OpenOptions{}, b, "changed") == nil {
			unverified++
		}
		if err := open(OpenOptions{Keys: o.Keys}, b, "changed"); err == nil {
			t.Errorf("byte %d of the footer is changed, and no error", i-at)
		}
	}
	if unverified < 28 {
		t.Errorf("without keys, %d changes are no error", unverified)
	}
	short := append(bytes.Clone(good[:len(good)-9]), good[len(good)-8:]...)
	short[len(short)-8]--
	if err := open(o, short, "short"); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "27 bytes") {
		t.Errorf("a short signature: %v", err)
	}
	supplied, _ := signedFile(t, key, "", "unique", true)
	if err := open(o, supplied, "supplied"); !errors.Is(err, ErrEncrypted) {
		t.Errorf("a prefix that the file lacks: %v", err)
	}
}
