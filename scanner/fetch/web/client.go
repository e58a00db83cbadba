package web

import (
	"errors"
	"net"
	"net/http"
	"time"
)

// NewClient returns a client as files have it that are opened without one: with connections
// that stay open for further requests, the proxy that the environment names, and without
// redirects from https to http. Redirects learn nothing of the URL that they come from. Hosts that open several files share one.
func NewClient() *http.Client {
	dialer := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	// HTTP/1.1, since a Transport with a dialer of its own tries no HTTP/2: there, all requests
	// to a server would share one connection, and its bandwidth.
	return &http.Client{
		CheckRedirect: checkRedirect,
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			IdleConnTimeout:        time.Minute,
			MaxIdleConns:           128,
			MaxIdleConnsPerHost:    32,
			MaxResponseHeaderBytes: 64 << 10,
			ReadBufferSize:         64 << 10,
			DisableCompression:     true,
		},
	}
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	req.Header.Del("Referer") // it has the query of the URL, which may be secret
	switch {
	case len(via) >= 10:
		return errors.New("more than 10 redirects")
	case req.URL.Scheme == "http" && via[0].URL.Scheme == "https":
		return errors.New("a redirect from https to http")
	}
	return nil
}
