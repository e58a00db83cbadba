package fetch_test

import (
	"context"
	"fmt"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// throttled is a source of a host that asks again when its server has too much to do.
type throttled struct{ fetch.Source }

func (s throttled) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	fetch.Refused(ctx) // the server answered with status 429, and the source has waited
	return s.Source.ReadRanges(ctx, ranges, alloc)
}

func ExampleRefused() {
	src := throttled{fetch.FromBytes([]byte("PAR1"))}
	ctx := fetch.OnRefusal(context.Background(), func() { fmt.Println("refused") }) // as scans do
	b, err := fetch.ReadRange(ctx, src, fetch.Range{Len: 3}, nil)
	fmt.Println(string(b), err)
	fetch.Refused(context.Background()) // nobody wants to know
	// Output:
	// refused
	// PAR <nil>
}
