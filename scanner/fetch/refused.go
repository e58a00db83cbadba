package fetch

import "context"

type refusalKey struct{}

// OnRefusal returns a context for the reads of a source. A source that makes a refused request again tells do of
// each refusal, from any goroutine, before the read has returned. Scans then have fewer requests in flight.
func OnRefusal(ctx context.Context, do func()) context.Context {
	return context.WithValue(ctx, refusalKey{}, do)
}

// Refused is called by a source, with the context of a read, when a server refuses a request as it has too
// much to do, as by status 503 or 429, and the source makes the request again.
func Refused(ctx context.Context) {
	if do, ok := ctx.Value(refusalKey{}).(func()); ok {
		do()
	}
}
