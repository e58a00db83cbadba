package s3scan

import (
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// What the SDK reads whole. A listing of a thousand keys of 1,024 bytes, each of them written as an entity of XML,
// has about 7 MB.
const (
	maxListing = 16 << 20
	maxReason  = 64 << 10 // of an error
)

// bounded is a client whose answers end, but for objects, of which package web reads as many bytes as it asked for.
type bounded struct{ s3.HTTPClient }

// Do implements s3.HTTPClient.
func (c bounded) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.HTTPClient.Do(req)
	switch {
	case err != nil || resp.Body == nil:
	case resp.StatusCode >= 300:
		resp.Body = &boundedBody{resp.Body, maxReason, maxReason}
	case req.URL.Query().Has("list-type"):
		resp.Body = &boundedBody{resp.Body, maxListing, maxListing}
	}
	return resp, err
}

// boundedBody is a body of which at most some bytes are read.
type boundedBody struct {
	io.ReadCloser
	most, left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the store's answer has more than %d bytes", b.most)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
