package fetch

import (
	"context"
	"errors"
)

// Ended returns nil until ctx has ended. Then it returns an error that matches both
// context.Cause(ctx) and ctx.Err(), which is context.Canceled or
// context.DeadlineExceeded. Sources return it when they stop for their context.
func Ended(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return &ended{err, cause}
}

// ended is the error of a context that was ended with a cause.
type ended struct{ err, cause error }

func (e *ended) Error() string   { return e.err.Error() + ": " + e.cause.Error() }
func (e *ended) Unwrap() []error { return []error{e.err, e.cause} }
