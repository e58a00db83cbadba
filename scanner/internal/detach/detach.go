package detach

import (
	"context"
	"fmt"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Run runs work in a goroutine, and returns when work or ctx is done. Work must own
// all memory that it changes, until its end. If work panics before ctx is done, Run
// panics with the same value.
func Run(ctx context.Context, work func()) error {
	done := make(chan error, 1)
	go func() {
		done <- Catch(func() error {
			work()
			return nil
		})
	}()
	select {
	case err := <-done:
		return Rethrow(err)
	case <-ctx.Done():
		return abandoned{fetch.Ended(ctx)}
	}
}

// abandoned is the error about work that may still use the memory that it was given.
type abandoned struct{ error }

func (a abandoned) Unwrap() error     { return a.error }
func (a abandoned) KeepsMemory() bool { return true }

// panicked carries a panic as an error.
type panicked struct{ cause any }

func (p panicked) Error() string { return fmt.Sprint("panic: ", p.cause) }

// Catch runs work and returns its error; if work panics, an error for Rethrow.
func Catch(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked{cause}
		}
	}()
	return work()
}

// Rethrow returns err, and panics if it carries a panic.
func Rethrow(err error) error {
	if p, ok := err.(panicked); ok {
		panic(p.cause)
	}
	return err
}
