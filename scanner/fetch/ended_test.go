package fetch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// list is an error that Go cannot compare.
type list []string

func (l list) Error() string { return strings.Join(l, ", ") }

func TestEnded(t *testing.T) {
	why := errors.New("the host is going down")
	within := fmt.Errorf("shutdown: %w", context.Canceled)
	for _, c := range []struct {
		cause error
		text  string
	}{
		{why, "context canceled: the host is going down"},
		{nil, "context canceled"},
		{within, "shutdown: context canceled"},
		{context.DeadlineExceeded, "context canceled: context deadline exceeded"},
		{list{"a", "b"}, "context canceled: a, b"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := Ended(ctx); err != nil {
			t.Errorf("before its end: %v", err)
		}
		cancel(c.cause)
		child, stop := context.WithCancel(ctx)
		defer stop()
		for _, ctx := range []context.Context{ctx, child} {
			err := Ended(ctx)
			if err == nil || err.Error() != c.text || !errors.Is(err, context.Canceled) {
				t.Errorf("%v: %v, want %s", c.cause, err, c.text)
			}
			var l list
			if _, isList := c.cause.(list); isList && !errors.As(err, &l) || !isList && c.cause != nil && !errors.Is(err, c.cause) {
				t.Errorf("%v does not match its cause", err)
			}
		}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Nanosecond, why)
	defer cancel()
	<-ctx.Done()
	if err := Ended(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, why) || errors.Is(err, context.Canceled) {
		t.Errorf("timed out: %v", err)
	}
}
