package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/picture"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

//go:embed page.css
var serveStyle string

//go:embed page.js
var serveScript string

func Command() *command.Command {
	return &command.Command{
		Name: "serve", Args: "[DIR]",
		Summary: "look at the files of a folder in a browser: rows, plans, page maps",
		Detail: `
It prints an address of this machine, with a secret in it, and serves there until Ctrl-C.
Nobody else can open it: it listens on the loopback interface only, and answers nothing
without the secret. Files outside of DIR (the current folder, if it is left out) are not
shown, whatever links lead there.

A page has 200 rows, and reads no others but those that a condition must test to find
them. Its address has the file, the condition, the columns and the row that it begins
with or ends before: it can be kept, and leads to the pages beside it.`,
		Local:    true,
		Examples: []string{"serve", "serve --port 8080 orders/"},
		Prepare: func(fs *flag.FlagSet) func(context.Context, *command.Call) error {
			port := fs.Uint("port", 0, "listen on this `number`; 0: one that is free")
			return func(ctx context.Context, call *command.Call) error {
				dir := "."
				switch {
				case len(call.Args) == 1:
					dir = call.Args[0]
				case len(call.Args) > 1:
					return fault.Usage("one folder at most")
				case *port > 65535:
					return fault.Usage("--port: ports end at 65535")
				}
				return serve(ctx, dir, *port, call)
			}
		},
	}
}

// server answers the requests of one page.
type server struct {
	files  fs.FS
	opens  scanner.OpenOptions // of files
	secret string              // the first part of each path
	host   string              // that requests must name, so that no foreign name leads here
}

// serve serves the files of a folder until ctx ends, and writes the address to call.Out.
func serve(ctx context.Context, dir string, port uint, call *command.Call) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return fault.Usage(dir + " is a file: serve wants its folder")
		}
		return fault.InFile(dir, errors.Unwrap(err))
	}
	defer root.Close()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	secret := make([]byte, 18)
	rand.Read(secret)
	s := &server{files: root.FS(), opens: call.Opener.Options, secret: base64.RawURLEncoding.EncodeToString(secret), host: hostOf(listener.Addr())}
	web := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stopped := context.AfterFunc(ctx, func() { web.Close() })
	defer stopped()
	fmt.Fprintf(call.Out, "http://%s/%s/\n", s.host, s.secret)
	fmt.Fprintln(call.Err, "Open this address in a browser. Ctrl-C ends.")
	if err = web.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		return ctx.Err()
	}
	return err
}

// hostOf returns how requests to an address name their host: without the port if it is that of http.
func hostOf(address net.Addr) string { return strings.TrimSuffix(address.String(), ":80") }

// ServeHTTP answers requests that know the secret, and no other.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secret, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(secret), []byte(s.secret)) != 1 || r.Host != s.host || r.Method != http.MethodGet {
		http.Error(w, "not here", http.StatusNotFound)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cache-Control", "no-store")
	text := func(kind string, parts ...string) {
		head.Set("Content-Type", kind+"; charset=utf-8")
		for _, p := range parts {
			w.Write([]byte(p))
		}
	}
	switch name {
	case "":
		head.Set("Content-Type", "text/html; charset=utf-8")
		s.page(w, r)
	case "style.css":
		text("text/css", picture.Style, serveStyle)
	case "script.js":
		text("text/javascript", picture.Script, serveScript)
	case "favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	case "files":
		s.answer(w, func() (any, error) { return s.list() })
	case "schema":
		s.answer(w, func() (any, error) { return s.schema(r.Context(), r.FormValue("file")) })
	case "run":
		s.run(w, r)
	default:
		http.Error(w, "not here", http.StatusNotFound)
	}
}

// answer writes what do returns as JSON, or its error.
func (s *server) answer(w http.ResponseWriter, do func() (any, error)) {
	v, err := do()
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// list returns the names of the Parquet files of the folder, then of those below.
func (s *server) list() (names []string, err error) {
	const most = 100_000
	names = []string{}
	err = fs.WalkDir(s.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // a folder that may not be read
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case len(names) == most:
			return fs.SkipAll
		case d.Type()&^fs.ModeSymlink == 0 && input.IsParquet(name):
			names = append(names, name)
		}
		return nil
	})
	slices.SortStableFunc(names, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return names, err
}

// open opens a file of the folder.
func (s *server) open(ctx context.Context, name string) (*input.File, error) {
	src, closeFile, err := fetch.OpenFS(s.files, name)
	if err != nil {
		return nil, fault.InFile(name, err)
	}
	f, err := s.opens.OpenSource(ctx, name, src)
	if err != nil {
		closeFile()
		return nil, err
	}
	return &input.File{File: f, Close: closeFile}, nil
}
