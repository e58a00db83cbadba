package annotate

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/thrift"
)

func hex8(b []byte) string { return table.Hex0x(b, 8) }

// The meaning of any bytes is found without a panic, and covers them all.
func FuzzAnnotate(f *testing.F) {
	f.Add([]byte("\x03\x88\xc6\xfa\x00"), []byte{3, 0, 1, 1, 2, 8})
	f.Add([]byte("\x80\x01\x04\x05\x02\x02\x00\x00\x00\x00"), []byte{0, 5, 0, 1, 1, 9})
	f.Add([]byte("\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x00\x00"), []byte{2, 0, 0, 0, 0, 6})
	f.Fuzz(func(t *testing.T, data, how []byte) {
		if len(how) < 6 || len(data) > 1<<16 {
			return
		}
		p := Page{
			Type: thrift.PageType(how[0] % 4), Encoding: thrift.Encoding(how[1] % 12), RepEncoding: thrift.Encoding(how[2]%3 + 2),
			DefEncoding: thrift.Encoding(how[2]/3%3 + 2), MaxRep: int(how[3] % 4), MaxDef: int(how[3] / 4 % 5), Slots: int(how[4]) * 7,
			Physical: thrift.Type(how[5] % 8), Width: int(how[5] / 8), ShowValue: hex8,
		}
		if len(how) >= 10 {
			p.RepBytes, p.DefBytes = int64(how[6]), int64(int32(binary.LittleEndian.Uint32(how[6:])))
		}
		stored, packed := p, p
		sections := []*Section{p.Header(data), stored.Body(data)}
		body, levels := packed.CompressedBody(data, "SNAPPY")
		sections = append(sections, body, packed.Decompressed(data[levels:]))
		for _, s := range sections {
			at := 0
			for _, span := range s.Spans {
				if span.From != at || span.To <= span.From {
					t.Fatalf("range %d-%d follows %d", span.From, span.To, at)
				}
				at = span.To
			}
			if at != len(s.Data) {
				t.Fatalf("%d of %d bytes have a meaning", at, len(s.Data))
			}
		}
	})
}

// Levels that could be of either order are shown in that of the file's writer.
func TestLevelsOfImpala(t *testing.T) {
	four := []byte{0b00001111, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}
	for lsb, want := range map[bool]string{true: "LSB first: 1 1 1 1 0 0 0 0", false: "MSB first: 0 0 0 0 1 1 1 1"} {
		p := Page{Type: thrift.DataPage, Encoding: thrift.EncodingPlain, DefEncoding: thrift.EncodingBitPacked, MaxDef: 1,
			Slots: 8, Physical: thrift.TypeInt32, Width: 4, LSBFirst: lsb, ShowValue: hex8}
		s := p.Body(four)
		last := s.Spans[len(s.Spans)-1]
		if got := s.Spans[0].Meaning; !strings.Contains(got, want) || last.Meaning != "value 3 = 0x04000000" || s.Fault != "" {
			t.Errorf("lsb %v: %s, then %+v, %s", lsb, got, last, s.Fault)
		}
	}
}
