package fault

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/stream"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/closest"
	"github.com/winnow-scan/winnow/scanner"
)

// IsOutsideFile reports whether err concerns the machine or the user, not the
// bytes of one chunk: then the next chunk will fare no better.
func IsOutsideFile(err error) bool {
	return err != nil && !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted)
}

// IsMismatch reports whether err is about columns that are not of the types that go together.
func IsMismatch(err error) bool { return errors.Is(err, scanner.ErrMismatch) }

// InFile adds the file's name to an error that does not have it.
func InFile(name string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: ShortName(name), RowGroup: -1, Page: -1, Offset: -1, Err: err}
}

// InPage adds the place of a page to an error that has none.
func InPage(file string, c *scanner.Chunk, number int, offset int64, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: file, RowGroup: c.RowGroup, Column: c.Leaf.String(), Page: number, Offset: offset, Err: err}
}

// NoSuch returns the error for what a file has n of, but not that one.
func NoSuch(what string, n int) error {
	if n == 0 {
		return errors.New("there are no " + what + "s")
	}
	return errors.New("no such " + what + ", the last is " + strconv.Itoa(n-1))
}

// Unknown is the error for a name that is not known. It suggests one that is.
func Unknown(kind, name string, known []string) error {
	what := fmt.Sprintf("no %s %q", kind, name)
	if near := Nearest(name, known); near != "" {
		what += fmt.Sprintf("; did you mean %q?", near)
	}
	return &UsageError{What: what}
}

// Nearest returns the known word that a mistyped one is likely to mean, or "".
func Nearest(word string, known []string) string {
	if len(word) < 2 { // it may mean any letter
		return ""
	}
	lower := strings.ToLower(word)
	if i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(strings.ToLower(k), lower) }); i >= 0 {
		return known[i]
	}
	return closest.Of(word, len(known), func(i int) string { return known[i] })
}

// UsageError is a fault in the command line.
type UsageError struct {
	Command string // whose help tells more, or ""
	What    string
	Picture string // of the place in what was typed, or ""
}

func (e *UsageError) Error() string { return e.What }

// Usage returns an error for a command line that is wrong.
func Usage(what string) error { return &UsageError{What: what} }

const maxErrorLine = 600

// Print writes an error as one line of at most 600 characters. That is enough
// for the name of the file and the place in it, at the line's start.
func Print(w io.Writer, text string) {
	text = table.Printable(strings.TrimSpace(text))
	if runes := []rune(text); len(runes) > maxErrorLine-1 {
		text = string(runes[:maxErrorLine-2]) + "…"
	}
	io.WriteString(w, text+"\n")
}

// ShortName cuts a long path at its start. The file's own name stays: file systems
// allow 255 bytes.
func ShortName(path string) string {
	switch path {
	case stream.Stdin:
		return "standard input"
	case "":
		return `""`
	}
	const most = 260
	path = withoutSecrets(path)
	if r := []rune(path); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return path
}

// isWeb reports whether a name is a URL of Web.
func isWeb(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// WithoutQuery returns a URL of Web without what follows its path, and any other name as it is.
func WithoutQuery(name string) string {
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
	path := WithoutQuery(name)
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
