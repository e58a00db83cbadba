package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Web returns the schemes http and https. Their files share connections.
func Web() []Scheme {
	client := web.NewClient()
	open := func(ctx context.Context, name string) (fetch.Source, error) {
		f, err := web.Open(ctx, name, web.Options{Client: client})
		if e := (*web.Error)(nil); errors.As(err, &e) {
			place := *e
			place.Name = "" // which inFile adds
			return nil, &place
		}
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return []Scheme{{Name: "https", Open: open}, {Name: "http", Open: open}}
}

// isWeb reports whether a name is a URL of Web.
func isWeb(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// withoutQuery returns a URL of Web without what follows its path, and any other name as it is.
func withoutQuery(name string) string {
	if end := strings.IndexAny(name, "?#"); end >= 0 && isWeb(name) {
		return name[:end]
	}
	return name
}

// withoutSecrets returns a URL of Web as messages have it: with neither user nor password,
// and with … for its query. Any other name stays as it is.
func withoutSecrets(name string) string {
	if !isWeb(name) {
		return name
	}
	path := withoutQuery(name)
	scheme, rest, _ := strings.Cut(path, "://")
	server, file, hasFile := strings.Cut(rest, "/")
	short := scheme + "://" + server[strings.LastIndexByte(server, '@')+1:]
	if hasFile {
		short += "/" + file
	}
	if len(path) < len(name) {
		short += name[len(path):len(path)+1] + "…"
	}
	return short
}
