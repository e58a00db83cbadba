package detach

import (
	"context"
	"errors"
	"testing"
)

var errHost = errors.New("the host is going down")

// many is an error that Go cannot compare.
type many []error

func (m many) Error() string { return errors.Join(m...).Error() }

// A cause of any type may come back from a source, which may also fail for itself.
func TestWithEnd(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	broken := errors.New("broken")
	if err := WithEnd(ctx, broken); err != broken {
		t.Errorf("before the end: %v", err)
	}
	cancel(many{errHost})
	for _, c := range []struct {
		err  error
		text string
	}{
		{many{errHost}, "the host is going down; context canceled: the host is going down"},
		{ctx.Err(), "context canceled: the host is going down"},
		{broken, "broken; context canceled: the host is going down"},
	} {
		err := WithEnd(ctx, c.err)
		var cause many
		if err.Error() != c.text || !errors.Is(err, context.Canceled) || !errors.As(err, &cause) {
			t.Errorf("got %v, want %s", err, c.text)
		}
	}
	if err := WithEnd(ctx, broken); !errors.Is(err, broken) {
		t.Errorf("%v is not what the source said", err)
	}
	if err := WithEnd(ctx, nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

// Run returns when its context ends, though the work goes on; and passes on a panic.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan bool)
	defer close(release)
	cancel()
	err := Run(ctx, func() { <-release })
	var keeps interface{ KeepsMemory() bool }
	if !errors.Is(err, context.Canceled) || !errors.As(err, &keeps) || !keeps.KeepsMemory() {
		t.Errorf("%v, of work that goes on", err)
	}
	defer func() {
		if cause := recover(); cause != "host's" {
			t.Errorf("recovered %v", cause)
		}
	}()
	err = Run(t.Context(), func() { panic("host's") })
	t.Errorf("no panic, but %v", err)
}
