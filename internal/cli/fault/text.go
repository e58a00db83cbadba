package fault

import (
	"io"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/stream"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

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
