package scanner

import (
	"errors"
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

func TestErrorText(t *testing.T) {
	levels := corrupt.Within(corrupt.At(5, "run of length 0"), "definition levels", 12)
	for _, tc := range []struct {
		err  Error
		want string
	}{
		{Error{"f.parquet", 0, "a.b", 3, 4711, levels},
			`f.parquet: row group 0, column "a.b", page 3, offset 4711: definition levels, byte 17: run of length 0`},
		{Error{"f.parquet", -1, "", -1, -1, corrupt.At(3, "a list that is longer than the rest")},
			`f.parquet: byte 3: a list that is longer than the rest`},
		{Error{"f.parquet", 2, "", -1, 40, errors.New("cut\noff")}, `f.parquet: row group 2, offset 40: cut; off`},
		{Error{"https://h/x", 1, "", -1, -1, errors.New("https://h/x: bytes 0-9: 404 Not Found")}, `https://h/x: row group 1: bytes 0-9: 404 Not Found`},
		{Error{"x", -1, "", -1, -1, errors.New("xy: x: z")}, `x: xy: x: z`},
		{Error{"f.parquet", -1, "x\n", -1, -1, corrupt.IsEncrypted("column is encrypted")}, `f.parquet: column "x\n": column is encrypted`},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}

func TestErrorKinds(t *testing.T) {
	kinds := []error{ErrCorrupt, ErrUnsupported, ErrEncrypted}
	for i, err := range []error{corrupt.At(1, "x"), corrupt.NotSupported("x"), corrupt.IsEncrypted("x")} {
		err = fmt.Errorf("while scanning: %w", &Error{File: "f", RowGroup: -1, Page: -1, Offset: -1, Err: err})
		for j, kind := range kinds {
			if errors.Is(err, kind) != (i == j) {
				t.Errorf("error %d is kind %d: %v", i, j, errors.Is(err, kind))
			}
		}
		var e *Error
		if !errors.As(err, &e) || e.File != "f" {
			t.Error("errors.As does not find the place")
		}
	}
}
