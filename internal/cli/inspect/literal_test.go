package inspect

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

func TestTimestampsForBloomFilters(t *testing.T) {
	inUTC := vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true}
	local := inUTC
	local.UTC = false
	want := time.Date(2024, 3, 31, 1, 30, 0, 250_000_000, time.UTC).UnixMicro()
	micros := func(of vector.Type, text string) int64 {
		plain, err := parseValue(of, text)
		if err != nil {
			t.Errorf("%s of %v: %v", text, of, err)
			return 0
		}
		return int64(binary.LittleEndian.Uint64(plain))
	}
	for _, text := range []string{"2024-03-31T01:30:00.25Z", "2024-03-31T01:30:00.25", "2024-03-31 01:30:00.25", "2024-03-31 03:30:00.25+02:00",
		"2024-03-31T03:30:00.25+0200", "2024-03-31 03:30:00.25+02", "2024-03-30 20:00:00.25-05:30"} {
		if got := micros(inUTC, text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if got := micros(local, "2024-03-31 01:30:00.25"); got != want {
		t.Errorf("local: %d, want %d", got, want)
	}
	for _, text := range []string{"2024-03-31T01:30:00Z", "2024-03-31 01:30:00+02:00"} {
		if _, err := parseValue(local, text); err == nil || err.Error() != "Z and offsets stand for times in UTC, not for the local ones of INT64 TIMESTAMP(MICROS,local)" {
			t.Errorf("%s, local: %v", text, err)
		}
	}
	for _, text := range []string{"2024-03-31 01:30:00+17:00", "2024-03-31 01:30:00-16:00", "2024-03-31 01:30:00+2", "2024-03-31 01:30:00+02:60"} {
		if _, err := parseValue(inUTC, text); err == nil || err.Error() != "not a value of INT64 TIMESTAMP(MICROS,UTC)" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Bytes are read as tables show them.
func TestBytesForBloomFilters(t *testing.T) {
	binary := vector.Type{Physical: vector.ByteArray}
	for text, want := range map[string]string{"spool": "spool", "X'00ff'": "\x00\xff", "0x00ff": "\x00\xff", "X''": "", "X'": "X'", "X'0": "X'0"} {
		if got, err := parseValue(binary, text); string(got) != want || err != nil {
			t.Errorf("%s: %q, not %q: %v", text, got, want, err)
		}
	}
	if _, err := parseValue(binary, "X'0'"); err == nil {
		t.Error("half a byte is no error")
	}
	for _, plain := range []string{"spool", "\x00\xff", "größe"} {
		shown := string(output.NewValuer(binary).AppendText(nil, []byte(plain)))
		if got, err := parseValue(binary, shown); string(got) != plain || err != nil {
			t.Errorf("%q is shown as %s, which is %q: %v", plain, shown, got, err)
		}
	}
}
