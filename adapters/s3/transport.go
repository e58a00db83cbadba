package s3scan

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// transport makes the requests of package web for one object, by the SDK.
type transport struct {
	client *Client
	object Object
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if err := t.client.checkCredentials(ctx); err != nil {
		return nil, err
	}
	in := &s3.GetObjectInput{Bucket: &t.object.Bucket, Key: &t.object.Key}
	if t.client.o.RequesterPays {
		in.RequestPayer = types.RequestPayerRequester
	}
	if v := req.Header.Get("Range"); v != "" {
		in.Range = &v
	}
	if v := req.Header.Get("If-Match"); v != "" {
		in.IfMatch = &v
	}
	if at, err := http.ParseTime(req.Header.Get("If-Unmodified-Since")); err == nil {
		in.IfUnmodifiedSince = &at
	}
	out, err := inRegion(t.client, t.object.Bucket, func(o func(*s3.Options)) (*s3.GetObjectOutput, error) {
		return t.client.s3.GetObject(ctx, in, o)
	})
	if err != nil {
		return nil, explain(err)
	}
	raw, ok := middleware.GetRawResponse(out.ResultMetadata).(*smithyhttp.Response)
	if !ok {
		out.Body.Close()
		return nil, &web.Refused{Err: errors.New("the s3.Client tells nothing of the response")}
	}
	resp := *raw.Response
	resp.Request, resp.Body, resp.Header = req, out.Body, header(raw.Header)
	return &resp, nil
}

// header returns the header of a response as package web wants it.
func header(of http.Header) http.Header {
	h := of.Clone()
	if tag := h.Get("ETag"); tag != "" {
		h.Set("ETag", quoted(tag))
		h.Del("Last-Modified") // listings may round it another way
	}
	h.Del("Content-Encoding") // it was stored with the object: S3 encodes nothing
	return h
}

// quoted returns an ETag with the quotes that some stores forget.
func quoted(tag string) string {
	if strings.HasPrefix(tag, `"`) || strings.HasPrefix(tag, "W/") {
		return tag
	}
	return `"` + tag + `"`
}

// responseOf returns the response that an error of the SDK is about, if there is one.
func responseOf(err error) *http.Response {
	if e, ok := errors.AsType[*awshttp.ResponseError](err); ok && e.Response != nil && e.Response.Response != nil && e.HTTPStatusCode() != 0 {
		return e.Response.Response
	}
	return nil
}

// explain returns an error of the SDK as package web wants it: a Refused with the store's words, or
// what went wrong on the way, which may not do so again.
func explain(err error) error {
	if onTheWay, ok := errors.AsType[*url.Error](err); ok {
		return onTheWay.Err
	}
	code, message := "", ""
	if said, ok := errors.AsType[smithy.APIError](err); ok && said.ErrorCode() != "UnknownError" {
		code, message = said.ErrorCode(), said.ErrorMessage()
	}
	r := responseOf(err)
	switch {
	case r == nil:
		if operation, ok := errors.AsType[*smithy.OperationError](err); ok {
			err = operation.Err
		}
		return &web.Refused{Err: errors.New(oneLine(err.Error()))}
	case r.StatusCode < 300:
		return errors.New("a response that makes no sense: " + oneLine(cmp.Or(message, err.Error())))
	case code == "":
		return &web.Refused{Status: r.StatusCode, Header: r.Header}
	}
	words := code
	if message != "" {
		words += ": " + strings.TrimRight(message, ". \n")
	}
	if again[code] && r.StatusCode < 500 {
		return errors.New(oneLine(words))
	}
	return &web.Refused{Status: r.StatusCode, Header: r.Header, Err: errors.New(oneLine(words))}
}

// again are the codes of errors that may pass, though their status does not say so. With a clock that
// was wrong, the SDK knows by how much after the first answer.
var again = map[string]bool{
	"RequestTimeout": true, "RequestTimeTooSkewed": true, "Throttling": true, "ThrottlingException": true,
	"RequestLimitExceeded": true, "BandwidthLimitExceeded": true, "SlowDown": true, "TooManyRequests": true,
}

// oneLine returns a text of someone else as a line of bounded length.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 300 {
		text = string(runes[:300]) + "…"
	}
	return text
}
