package page

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// FuzzSplit: parts lie in the body, in order, without overlap; the first bytes
// of a body give the same parts or a Need.
func FuzzSplit(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 3, 13, 2, 0, 0, 0, 6, 1}, uint8(0), int32(4), uint8(3), uint8(3), int32(0), int32(0), uint8(0), uint8(1), uint16(5))
	f.Add([]byte{3, 13, 2, 0, 0, 0, 6, 1}, uint8(3), int32(4), uint8(3), uint8(3), int32(2), int32(0), uint8(0), uint8(1), uint16(1))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(0), int32(30), uint8(0), uint8(4), int32(0), int32(0), uint8(1), uint8(3), uint16(7))
	f.Fuzz(func(t *testing.T, body []byte, typ uint8, n int32, enc, levels uint8, def, rep int32, maxRep, maxDef uint8, cut uint16) {
		h := thrift.PageHeader{
			Type: thrift.PageType(typ % 5), NumValues: max(n, 0), Encoding: thrift.Encoding(enc % 10),
			DefinitionEncoding: thrift.Encoding(levels % 5), RepetitionEncoding: thrift.Encoding(levels / 5 % 5),
			DefinitionLength: def, RepetitionLength: rep,
			UncompressedSize: int32(len(body)), CompressedSize: int32(len(body)),
		}
		// After the body stands what must not be looked at.
		whole := append(bytes.Clone(body), 0xee, 0xee, 0xee, 0xee)[:len(body)]
		p, _, err := Split(&h, thrift.TypeBoolean, int(maxRep), int(maxDef), whole)
		if err != nil {
			if !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
				t.Fatalf("error %v", err)
			}
			return
		}
		at := 0
		for _, part := range [][]byte{p.Repetition, p.Definition, p.Values} {
			if len(part) == 0 {
				continue
			}
			from := cap(whole) - cap(part)
			if from < at || from+len(part) > len(whole) {
				t.Fatalf("part of %d bytes at %d; the last ended at %d, the body at %d", len(part), from, at, len(whole))
			}
			at = from + len(part)
		}
		q, need, err := Split(&h, thrift.TypeBoolean, int(maxRep), int(maxDef), whole[:int(cut)%(len(body)+1)])
		if need.Some() {
			if need.To > int64(len(body)) {
				t.Fatalf("%v of a body of %d", need, len(body))
			}
			return
		}
		if err != nil || !bytes.Equal(q.Repetition, p.Repetition) || !bytes.Equal(q.Definition, p.Definition) || !bytes.HasPrefix(p.Values, q.Values) {
			t.Fatalf("cut: %v, %v; whole %v", q, err, p)
		}
	})
}

// FuzzWalker: whatever the bytes, walking ends; windows of one size and of
// another find the same pages; pages do not overlap and stay in the chunk; a
// body unpacks or fails in memory that its input justifies.
//
//every:codec page fuzz but LZO (refused)
func FuzzWalker(f *testing.F) {
	for c, id := range map[gen.Codec]thrift.Codec{
		gen.Uncompressed: thrift.CodecUncompressed, gen.Snappy: thrift.CodecSnappy, gen.Gzip: thrift.CodecGzip, gen.Zstd: thrift.CodecZstd,
		gen.Brotli: thrift.CodecBrotli, gen.LZ4Raw: thrift.CodecLZ4Raw, gen.LZ4Hadoop: thrift.CodecLZ4,
	} {
		for _, version := range []int{1, 2} {
			chunk, _ := written(f, gen.Column{Codec: c, PageRows: []int{5, 1}, Shape: gen.Shape{Version: version, Encoding: gen.Dictionary}}, 12)
			f.Add(chunk, uint16(0), uint8(0), uint8(id))
		}
	}
	o := options()
	f.Fuzz(func(t *testing.T, chunk []byte, window uint16, slack, id uint8) {
		length := int64(len(chunk)) - int64(slack)%(int64(len(chunk))+1)
		walk := func(more int64) (ends []int64, packed [][]byte, headers []thrift.PageHeader, err error) {
			var w Walker
			w.Reset(Chunk{Length: length, Slack: int64(len(chunk)) - length, Values: 10})
			asked := 0
			supply := func(need Need) {
				if need.From < 0 || need.From >= need.To || need.To > int64(len(chunk)) {
					t.Fatalf("%v of %d", need, len(chunk))
				}
				if asked++; asked > 10*len(chunk)+10 {
					t.Fatal("asks without end")
				}
				to := min(need.To+more, int64(len(chunk)))
				w.Supply(need.From, chunk[need.From:to])
			}
			end := int64(0)
			for {
				p, need, err := w.Next()
				if need.Some() {
					supply(need)
					continue
				}
				if err != nil {
					return ends, packed, headers, err
				}
				if p.Offset < end || p.End() > int64(len(chunk)) {
					t.Fatalf("page [%d,%d) behind %d of %d", p.Offset, p.End(), end, len(chunk))
				}
				end = p.End()
				b, need := w.Packed()
				if need.Some() {
					supply(need)
					b, need = w.Packed()
				}
				if need.Some() {
					t.Fatal(need)
				}
				ends, packed, headers = append(ends, end), append(packed, b), append(headers, p.Header)
			}
		}
		ends, packed, headers, err := walk(int64(window))
		if err != io.EOF && !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
			t.Fatalf("error %v", err)
		}
		again, _, _, err2 := walk(int64(len(chunk)))
		if len(again) != len(ends) || err.Error() != err2.Error() {
			t.Fatalf("%d pages and %v, with other windows %d and %v", len(ends), err, len(again), err2)
		}
		u, err := o.Unpacker(thrift.Codec(id % 8))
		if err != nil {
			return
		}
		u.ignoreCRC = true
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range packed {
			h := &headers[i]
			body, err := u.Unpack(nil, h, packed[i], int(h.UncompressedSize))
			if err == nil {
				_, _, err = Split(h, thrift.TypeInt64, 1, 1, body)
			}
			if err != nil && !errors.Is(err, corrupt.Bad) && !errors.Is(err, corrupt.Unsupported) {
				t.Fatalf("error %v", err)
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > uint64(len(packed)+1)*(24<<20)+5000*uint64(len(chunk)) {
			t.Fatalf("%d bytes allocated for %d pages of %d bytes", n, len(packed), len(chunk))
		}
	})
}
