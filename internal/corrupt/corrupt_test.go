package corrupt

import (
	"errors"
	"fmt"
	"testing"
)

func TestEachLayerAddsItsCoordinateOnce(t *testing.T) {
	err := error(At(5, "run of ", 0, " values, width ", uint8(3)))
	if got, want := err.Error(), "byte 5: run of 0 values, width 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = Within(err, "definition levels", 12)
	if got, want := err.Error(), "definition levels, byte 17: run of 0 values, width 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if again := Within(err, "page body", 100); again.Error() != err.Error() {
		t.Errorf("a second part was added: %q", again)
	}
	if !errors.Is(fmt.Errorf("column a: %w", err), Bad) || errors.Is(err, Unsupported) {
		t.Error("errors.Is does not follow the kind")
	}
}

func TestErrorsWithoutAByte(t *testing.T) {
	err := Within(NotSupported("codec LZO"), "column metadata", 40)
	if got, want := err.Error(), "column metadata: codec LZO"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, Unsupported) || !errors.Is(IsEncrypted("footer"), Encrypted) {
		t.Error("kinds are lost")
	}
	plain := errors.New("disk on fire")
	if Within(plain, "footer", 1) != plain {
		t.Error("a foreign error was changed")
	}
}

func TestNoErrorCostsNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		if Within(nil, "page header", 3) != nil {
			t.Error("an error out of nothing")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
