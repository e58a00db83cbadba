package fetch

import (
	"context"
	"errors"
	"fmt"
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
	return fmt.Errorf("%w: %w", err, cause)
}
