package page

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

func unpacker(tb testing.TB, id thrift.Codec) Unpacker {
	tb.Helper()
	u, err := options().Unpacker(id)
	if err != nil {
		tb.Fatal(err)
	}
	return u
}

func zstdOf(body []byte) []byte {
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return w.EncodeAll(body, nil)
}

func gzipOf(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// text returns n bytes of words, ints n bytes of numbers that grow unevenly.
func text(seed uint64, n int) []byte {
	words := strings.Fields("winnow grain chaff sieve thresh straw barn harvest sheaf meadow plough furrow")
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(append(b, words[r.IntN(len(words))]...), ' ')
	}
	return b[:n]
}

func ints(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, 0, n+8)
	x := uint64(1 << 40)
	for len(b) < n {
		x += r.Uint64N(1000)
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b[:n]
}

// v2Page returns header and packed body of a v2 page.
func v2Page(rep, def, values, packedValues []byte, compressed bool) (thrift.PageHeader, []byte) {
	packed := bytes.Join([][]byte{rep, def, packedValues}, nil)
	h := thrift.PageHeader{
		Type: v2, NumValues: 100, IsCompressed: compressed,
		RepetitionLength: int32(len(rep)), DefinitionLength: int32(len(def)),
		UncompressedSize: int32(len(rep) + len(def) + len(values)), CompressedSize: int32(len(packed)),
		HasCRC: true, CRC: crc32.ChecksumIEEE(packed),
	}
	return h, packed
}

func TestLevelsOfV2StayAsTheyAre(t *testing.T) {
	rep, def, vals := []byte("rep"), []byte("definition"), text(1, 300_000)
	for _, tc := range []struct {
		id     thrift.Codec
		packed []byte
	}{{thrift.CodecSnappy, snappy.Encode(nil, vals)}, {thrift.CodecZstd, zstdOf(vals)}, {thrift.CodecGzip, gzipOf(vals)}, {thrift.CodecUncompressed, vals}} {
		h, packed := v2Page(rep, def, vals, tc.packed, true)
		u := unpacker(t, tc.id)
		want := bytes.Join([][]byte{rep, def, vals}, nil)
		for _, room := range []int{0, 50, 100_000, 400_000} {
			for _, need := range []int{-1, 0, 5, 13, 14, 1000, len(want) - 1, len(want), 1 << 30} {
				body, err := u.Unpack(make([]byte, room), &h, packed, need)
				if err != nil {
					t.Fatalf("%v, room %d, need %d: %v", tc.id, room, need, err)
				}
				if len(body) < min(need, len(want)) || len(body) < 13 || !bytes.HasPrefix(want, body) {
					t.Errorf("%v, room %d, need %d: %d bytes", tc.id, room, need, len(body))
				}
				p, _, err := Split(&h, thrift.TypeByteArray, 1, 1, body)
				if err != nil || string(p.Repetition) != "rep" || string(p.Definition) != "definition" || !bytes.HasPrefix(vals, p.Values) {
					t.Errorf("%v, need %d: %q %q, %v", tc.id, need, p.Repetition, p.Definition, err)
				}
				if !u.Stored(&h) && cap(body)-len(body) < spare {
					t.Errorf("%v, room %d, need %d: %d spare bytes", tc.id, room, need, cap(body)-len(body))
				}
			}
		}
	}
}

func TestStoredBodiesAreViews(t *testing.T) {
	vals := text(1, 1000)
	for _, id := range []thrift.Codec{thrift.CodecUncompressed, thrift.CodecSnappy} {
		h, packed := v2Page(nil, []byte("def"), vals, vals, false)
		u := unpacker(t, id)
		if !u.Stored(&h) {
			t.Errorf("%v: is_compressed is false, and yet not stored", id)
		}
		body, err := u.Unpack(make([]byte, 5000), &h, packed, 10)
		if err != nil || &body[0] != &packed[0] || len(body) != len(packed) {
			t.Errorf("%v: %d bytes, %v", id, len(body), err)
		}
	}
}

//last:codec empty body
func TestEmptyCompressedBodies(t *testing.T) {
	for id := thrift.CodecSnappy; id <= thrift.CodecLZ4Raw; id++ {
		if id == thrift.CodecLZO {
			continue
		}
		h, packed := v2Page(nil, []byte{0xc8, 1, 0}, nil, nil, true)
		u := unpacker(t, id)
		body, err := u.Unpack(nil, &h, packed, 1<<30)
		if err != nil || string(body) != "\xc8\x01\x00" {
			t.Errorf("%v: %x, %v", id, body, err)
		}
	}
}

// TestCompressedAllTheSame has a page that is compressed and says it is not, as
// parquet-cpp wrote them, and one without a codec whose sizes differ.
func TestCompressedAllTheSame(t *testing.T) {
	vals := text(1, 1000)
	h, packed := v2Page([]byte("r"), []byte("d"), vals, snappy.Encode(nil, vals), true)
	h.IsCompressed = false
	u := unpacker(t, thrift.CodecSnappy)
	body, err := u.Unpack(nil, &h, packed, 1<<30)
	if err != nil || string(body) != "rd"+string(vals) || u.Stored(&h) {
		t.Errorf("%d bytes, stored %v, %v", len(body), u.Stored(&h), err)
	}
	u = unpacker(t, thrift.CodecUncompressed)
	if _, err = u.Unpack(nil, &h, packed, 1<<30); err == nil || !strings.Contains(err.Error(), "not compressed, but of size") {
		t.Errorf("without a codec: %v", err)
	}
}

func TestUnpackRefuses(t *testing.T) {
	vals := text(1, 1000)
	whole := 1 << 30
	honest := func() (thrift.PageHeader, []byte) {
		return v2Page([]byte("r"), []byte("d"), vals, snappy.Encode(nil, vals), true)
	}
	for _, tc := range []struct {
		name  string
		spoil func(h *thrift.PageHeader, packed *[]byte)
		need  int
		want  string
	}{
		{"nothing", func(*thrift.PageHeader, *[]byte) {}, whole, ""},
		{"size too large", func(h *thrift.PageHeader, _ *[]byte) { h.UncompressedSize++ }, whole, "page body: SNAPPY: the body holds 1000 bytes, 1001 are declared"},
		{"size too small", func(h *thrift.PageHeader, _ *[]byte) { h.UncompressedSize-- }, whole, "page body: SNAPPY: the body holds 1000 bytes, 999 are declared"},
		{"body too short", func(_ *thrift.PageHeader, b *[]byte) { *b = (*b)[1:] }, whole, "bytes, the header says"},
		{"a bit", func(_ *thrift.PageHeader, b *[]byte) { *b = bytes.Clone(*b); (*b)[99] ^= 4 }, 1, "page body: checksum"},
		{"levels beyond the page", func(h *thrift.PageHeader, _ *[]byte) { h.DefinitionLength = h.CompressedSize }, 1, "page body: levels of 1+"},
		{"levels beyond the values", func(h *thrift.PageHeader, _ *[]byte) { h.UncompressedSize = 1 }, 1, "page body: levels of 1+1 bytes"},
		{"levels overflow", func(h *thrift.PageHeader, _ *[]byte) { h.DefinitionLength, h.RepetitionLength = 1<<31-1, 1<<31-1 }, 1, "page body: levels of 2147483647+2147483647"},
		{"a claim of 2 GiB", func(h *thrift.PageHeader, _ *[]byte) { h.UncompressedSize = 1<<31 - 1 }, whole, "page body: SNAPPY: "},
		{"stored, sizes differ", func(h *thrift.PageHeader, b *[]byte) {
			h.IsCompressed, h.HasCRC, *b = false, false, append([]byte("rd"), vals...)
			h.CompressedSize, h.UncompressedSize = 1002, 1003
		}, whole, "page body: SNAPPY: "},
	} {
		h, packed := honest()
		u := unpacker(t, thrift.CodecSnappy)
		tc.spoil(&h, &packed)
		dst := make([]byte, 7)
		body, err := u.Unpack(dst, &h, packed, tc.need)
		if tc.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if !errors.Is(err, corrupt.Bad) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
		if len(body) != len(dst) || &body[0] != &dst[0] {
			t.Errorf("%s: dst is lost", tc.name)
		}
	}
	if _, err := options().Unpacker(thrift.CodecLZO); !errors.Is(err, corrupt.Unsupported) || !strings.Contains(err.Error(), "LZO") {
		t.Errorf("LZO: %v", err)
	}
	o := options()
	o.IgnoreCRC = true
	u, _ := o.Unpacker(thrift.CodecSnappy)
	h, packed := honest()
	h.CRC++
	if _, err := u.Unpack(nil, &h, packed, whole); err != nil {
		t.Errorf("checksums ignored: %v", err)
	}
}

// liar is a user's codec that returns arbitrary bytes.
type liar int

func (l liar) Decode(dst, _ []byte, _ int) ([]byte, error) {
	return append(dst, make([]byte, l)...), nil
}

func (l liar) DecodePrefix(dst, _ []byte, _, _ int) ([]byte, error) { return l.Decode(dst, nil, 0) }

func TestCodecsOfUsersAreChecked(t *testing.T) {
	for n := range 7 {
		o := Options{Codecs: codec.NewSet(codec.Options{More: map[thrift.Codec]codec.Codec{99: liar(n)}})}
		u, err := o.Unpacker(99)
		if err != nil {
			t.Fatal(err)
		}
		h := thrift.PageHeader{Type: v1, UncompressedSize: 5, CompressedSize: 1, IsCompressed: true}
		for _, need := range []int{3, 5} {
			_, err = u.Unpack(nil, &h, []byte{0}, need)
			if ok := n >= need && n <= 5; (err == nil) != ok {
				t.Errorf("%d bytes, %d needed: %v", n, need, err)
			}
		}
	}
}

func TestUnpackingAllocatesNothing(t *testing.T) {
	if raceOn {
		t.Skip("under the race detector sync.Pool drops at random")
	}
	vals := text(1, 200_000)
	for _, tc := range []struct {
		id     thrift.Codec
		packed []byte
	}{{thrift.CodecSnappy, snappy.Encode(nil, vals)}, {thrift.CodecZstd, zstdOf(vals)}, {thrift.CodecGzip, gzipOf(vals)}} {
		h, packed := v2Page(nil, []byte("levels"), vals, tc.packed, true)
		u := unpacker(t, tc.id)
		dst := make([]byte, int(h.UncompressedSize)+spare)
		for _, need := range []int{1000, 1 << 30} {
			n := testing.AllocsPerRun(10, func() {
				body, err := u.Unpack(dst, &h, packed, need)
				if err != nil || &body[0] != &dst[0] {
					t.Fatal(tc.id, err)
				}
			})
			if n > 0 {
				t.Errorf("%v, first %d bytes: %v allocations", tc.id, need, n)
			}
		}
	}
}

// The checksum and the decompression rotate over 16 distinct pages: of one
// page alone the branch predictor learns the whole course.
func BenchmarkUnpack(b *testing.B) {
	const size = 1 << 20
	for _, id := range []thrift.Codec{thrift.CodecUncompressed, thrift.CodecSnappy, thrift.CodecZstd} {
		for _, data := range []string{"text", "ints"} {
			for _, crc := range []bool{true, false} {
				if id == thrift.CodecUncompressed && !crc {
					continue // nothing is done
				}
				b.Run(fmt.Sprintf("codec=%v/data=%s/crc=%v", id, data, crc), func(b *testing.B) {
					var headers [16]thrift.PageHeader
					var packed [16][]byte
					for i := range packed {
						body := text(uint64(i), size)
						if data == "ints" {
							body = ints(uint64(i), size)
						}
						switch packed[i] = body; id {
						case thrift.CodecSnappy:
							packed[i] = snappy.Encode(nil, body)
						case thrift.CodecZstd:
							packed[i] = zstdOf(body)
						}
						headers[i] = thrift.PageHeader{Type: v1, UncompressedSize: size, CompressedSize: int32(len(packed[i])),
							IsCompressed: true, HasCRC: true, CRC: crc32.ChecksumIEEE(packed[i])}
					}
					o := options()
					o.IgnoreCRC = !crc
					u, _ := o.Unpacker(id)
					dst := make([]byte, size+spare)
					b.SetBytes(size)
					b.ReportAllocs()
					i := 0
					for b.Loop() {
						if _, err := u.Unpack(dst, &headers[i%16], packed[i%16], size); err != nil {
							b.Fatal(err)
						}
						i++
					}
				})
			}
		}
	}
}
