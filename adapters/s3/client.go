package s3scan

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Options say where the objects are, and how they are requested. The zero Options are right for
// buckets of AWS: credentials and region are found in the environment, in ~/.aws, or on the machine.
type Options struct {
	// Client makes the requests, if it is not nil. Endpoint, VirtualHost, Region and Anonymous are
	// ignored then: they are the client's.
	Client *s3.Client

	// Endpoint is the URL of another store than AWS's: http://localhost:9000. "": that of the
	// environment (AWS_ENDPOINT_URL_S3) or of ~/.aws, or else AWS's.
	Endpoint string

	// VirtualHost puts the bucket into the host of an Endpoint's URL, not into its path.
	VirtualHost bool

	// Region is where the buckets are. "": that of the environment or of ~/.aws, or else us-east-1.
	// A bucket that turns out to be in another region is asked for there.
	Region string

	// Anonymous leaves requests unsigned, for public buckets.
	Anonymous bool

	// RequesterPays agrees to pay for requests to buckets that want that.
	RequesterPays bool

	// Requests bounds the requests of one object at one time. 0: 16.
	Requests int

	// Attempts is how often a request is made before its error is returned. 0: 8, over about 10
	// seconds where a store throttles.
	Attempts int

	// Timeout is how long a store may send nothing before the request is made anew. 0: 30 seconds.
	Timeout time.Duration
}

// FromEnvironment returns the Options that environment variables state beside those that AWS's SDK reads, by the names
// that arrow-rs's object_store and Polars have for them.
func FromEnvironment(variable func(name string) string) Options {
	is := func(name string) bool {
		v := strings.ToLower(variable(name))
		return v == "true" || v == "1" || v == "requester"
	}
	return Options{
		Anonymous:     is("AWS_SKIP_SIGNATURE"),
		RequesterPays: is("AWS_REQUEST_PAYER"),
		VirtualHost:   is("AWS_VIRTUAL_HOSTED_STYLE_REQUEST"),
	}
}

// Client opens and lists objects. Its objects share connections. Safe for concurrent use.
type Client struct {
	o           Options
	s3          *s3.Client
	credentials aws.CredentialsProvider // nil: requests are not signed
	transport   *http.Transport         // nil: that of the host's s3.Client
	regions     sync.Map                // string: of buckets that are not in the client's

	// What requests took last, for objects of which nothing is known yet.
	latency, bandwidth atomic.Int64
}

// NewClient returns a client.
func NewClient(ctx context.Context, o Options) (*Client, error) {
	c := &Client{o: o, s3: o.Client}
	c.o.Requests = cmp.Or(max(c.o.Requests, 0), 16)
	c.o.Attempts = cmp.Or(max(c.o.Attempts, 0), 8)
	c.o.Timeout = cmp.Or(max(c.o.Timeout, 0), 30*time.Second)
	c.latency.Store(int64(firstLatency))
	c.bandwidth.Store(firstBandwidth)
	if c.s3 == nil {
		if err := c.connect(ctx); err != nil {
			return nil, err
		}
	}
	if provider := c.s3.Options().Credentials; provider != nil && !aws.IsCredentialsProvider(provider, aws.AnonymousCredentials{}) {
		c.credentials = aws.NewCredentialsCache(provider)
	}
	return c, nil
}

// connect makes the s3.Client that the options describe.
func (c *Client) connect(ctx context.Context) error {
	var load []func(*config.LoadOptions) error
	if c.o.Region != "" {
		load = append(load, config.WithRegion(c.o.Region))
	}
	if c.o.Anonymous {
		load = append(load, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	conf, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return errors.New("configuration of S3: " + oneLine(err.Error()))
	}
	conf.Region = cmp.Or(conf.Region, "us-east-1")
	buildable, ok := conf.HTTPClient.(*awshttp.BuildableClient)
	if !ok {
		return fmt.Errorf("configuration of S3: an HTTP client of type %T", conf.HTTPClient)
	}
	c.transport = buildable.GetTransport()
	c.transport.MaxIdleConns, c.transport.MaxIdleConnsPerHost = 256, 128
	c.transport.IdleConnTimeout = time.Minute
	c.transport.ResponseHeaderTimeout = c.o.Timeout + c.o.Timeout/4 // for listings; package web is first
	c.transport.MaxResponseHeaderBytes = 64 << 10
	c.transport.ReadBufferSize = 64 << 10
	c.transport.DisableCompression = true
	// HTTP/1.1: with HTTP/2 all requests would share one connection, and its bandwidth.
	c.transport.ForceAttemptHTTP2 = false
	c.transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	client := &http.Client{
		Transport:     c.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // it would need another signature
	}
	c.s3 = s3.NewFromConfig(conf, func(so *s3.Options) {
		so.HTTPClient = client
		if c.o.Endpoint != "" {
			so.BaseEndpoint = &c.o.Endpoint
		}
		so.UsePathStyle = so.BaseEndpoint != nil && !c.o.VirtualHost
	})
	return nil
}

// ErrNoCredentials is matched by errors about requests that cannot be signed.
var ErrNoCredentials = errors.New("no credentials")

// checkCredentials returns an error if there are none. The SDK would find that, too, but bury the reason.
func (c *Client) checkCredentials(ctx context.Context) error {
	if c.credentials == nil {
		return nil
	}
	_, err := c.credentials.Retrieve(ctx)
	if err == nil {
		return nil
	}
	text := strings.ReplaceAll(err.Error(), "failed to refresh cached credentials, ", "")
	return &web.Refused{Err: fmt.Errorf("%w: %s", ErrNoCredentials, oneLine(text))}
}

// Close closes the idle connections, unless they are of the host's s3.Client. It must not be called
// before all reads have returned.
func (c *Client) Close() error {
	if c.transport != nil {
		c.transport.CloseIdleConnections()
	}
	return nil
}

// inRegion makes a call for a bucket. It makes it again if the answer says that the bucket is in
// another region, and remembers that.
func inRegion[T any](c *Client, bucket string, call func(o func(*s3.Options)) (T, error)) (T, error) {
	known, _ := c.regions.Load(bucket)
	region, _ := known.(string)
	set := func(o *s3.Options) {
		o.Retryer = aws.NopRetryer{}
		o.HTTPClient = bounded{o.HTTPClient}
		// Checksums are of whole objects.
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if region != "" {
			o.Region = region
		}
	}
	out, err := call(set)
	if r := responseOf(err); r != nil {
		if other := r.Header.Get("X-Amz-Bucket-Region"); other != "" && other != cmp.Or(region, c.s3.Options().Region) {
			c.regions.Store(bucket, other)
			region = other
			return call(set)
		}
	}
	return out, err
}

// Parse returns the bucket and the key of a name. The key is as the store has it, without escapes.
// An access point stands for a bucket by its alias, or by its ARN:
//
//	s3://bucket/key
//	s3://arn:aws:s3:eu-west-1:123456789012:accesspoint/name/key
func Parse(name string) (bucket, key string, err error) {
	scheme, rest, found := strings.Cut(name, "://")
	bucket, key, _ = strings.Cut(rest, "/")
	if strings.HasPrefix(bucket, "arn:") {
		point, after, _ := strings.Cut(key, "/")
		bucket, key = bucket+"/"+point, after
	}
	if !found || !strings.EqualFold(scheme, "s3") || bucket == "" {
		return "", "", errors.New("not the name of an object: s3://bucket/key")
	}
	return bucket, key, nil
}
