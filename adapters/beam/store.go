package winnowio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// Store is where files with a scheme lie.
type Store struct {
	// Open opens the file with a name. If the source is an io.Closer, it is closed after
	// use. A source that states no identity is not noticed when its file changes.
	Open func(ctx context.Context, name string) (fetch.Source, error)

	// List returns the names of the files that a pattern stands for. Nil: each pattern is
	// the name of a file.
	List func(ctx context.Context, pattern string) ([]string, error)
}

// stores are the registered ones, by scheme. Like Beam's registry of filesystems, it is
// filled by init functions.
var stores struct {
	sync.RWMutex
	byScheme map[string]Store
}

// Register makes a store known for all names that begin with scheme://. It belongs into an
// init function, as what only main registers is missing in workers. Names of schemes that
// nobody registered are those of Beam's own filesystems (package io/filesystem), except for
// local files, http and https, which are read by winnow's packages.
func Register(scheme string, s Store) {
	stores.Lock()
	defer stores.Unlock()
	if _, ok := stores.byScheme[scheme]; ok {
		panic("winnowio: the scheme " + scheme + " is registered already")
	}
	if stores.byScheme == nil {
		stores.byScheme = map[string]Store{}
	}
	stores.byScheme[scheme] = s
}

// storeOf returns the store of a name. splits reports whether it reads ranges, so that several
// workers may share a file.
func storeOf(name string) (s Store, splits bool) {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok {
		return localStore, true
	}
	stores.RLock()
	s, ok = stores.byScheme[scheme]
	stores.RUnlock()
	switch {
	case ok:
		return s, true
	case scheme == "http" || scheme == "https":
		return webStore, true
	}
	return Store{Open: openBeam, List: listBeam}, false
}

var (
	localStore = Store{
		Open: func(_ context.Context, name string) (fetch.Source, error) { return fetch.Open(name) },
		List: func(_ context.Context, pattern string) ([]string, error) { return fetch.Glob(pattern) },
	}
	webStore = Store{Open: func(ctx context.Context, name string) (fetch.Source, error) {
		return web.Open(ctx, name, web.Options{})
	}}
)

// checkPattern returns an error if no store reads names like a pattern.
func checkPattern(pattern string) error {
	if pattern == "" {
		return errors.New("an empty pattern")
	}
	if _, splits := storeOf(pattern); splits {
		return nil
	}
	return beamReads(pattern)
}

// list returns the names of the files that a pattern stands for, at least one.
func list(ctx context.Context, pattern string) ([]string, error) {
	s, _ := storeOf(pattern)
	if s.List == nil {
		return []string{pattern}, nil
	}
	names, err := s.List(ctx, pattern)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no file matches: %w", fs.ErrNotExist)
	}
	return names, named(pattern, err)
}

// openSource opens the file with a name.
func openSource(ctx context.Context, name string) (src fetch.Source, close func() error, err error) {
	s, _ := storeOf(name)
	if s.Open == nil {
		return nil, nil, named(name, errors.New("its store opens no files"))
	}
	src, err = s.Open(ctx, name)
	if err != nil {
		return nil, nil, named(name, err)
	}
	if c, ok := src.(io.Closer); ok {
		return src, c.Close, nil
	}
	return src, func() error { return nil }, nil
}

// identify returns the identity of a file, without its bytes where the store knows it.
func identify(ctx context.Context, name string) (id fetch.Identity, err error) {
	if _, splits := storeOf(name); !splits {
		return beamIdentity(ctx, name)
	}
	src, close, err := openSource(ctx, name)
	if err != nil {
		return id, err
	}
	id = fetch.IdentityOf(src)
	return id, named(name, close())
}

// named adds a file's name to an error that lacks it.
func named(name string, err error) error {
	if err == nil || strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
