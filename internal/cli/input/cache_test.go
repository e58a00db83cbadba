package input

import (
	"testing"
)

func TestSizeFlag(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "700": 700, "2k": 2048, "3M": 3 << 20, "4G": 4 << 30, "5t": 5 << 40, "8388607T": 8388607 << 40, "9223372036854775807": 1<<63 - 1,
		"": 0, "k": 0, "0": 0, "0G": 0, "-1": 0, "1.5G": 0, "1GB": 0, "8388608T": 0, "9223372036854775808": 0,
	} {
		var got sizeFlag
		if err := got.Set(text); int64(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
