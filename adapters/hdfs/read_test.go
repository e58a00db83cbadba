package hdfsscan

import (
	"context"
	"errors"
	"testing"
)

// A context that ends after a piece's last byte, and before its reader is given back, is the error
// of the read: nothing of the piece is left then.
func TestEndsAfterLastByte(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &File{cluster: NewCluster(Options{}), slots: make(chan struct{}, 1)}
	if err := f.read(ctx, &piece{off: 7}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
