package browser

import (
	"os"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

func write(path string, f *gen.File) error {
	b, err := f.Write()
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}

// manyRows writes a file with texts that a regular expression takes seconds for.
func manyRows(path string) error {
	text := strings.Repeat("ab ba ", 300)
	rows := make([]any, 60_000)
	for i := range rows {
		rows[i] = gen.Record{"n": i, "text": text}
	}
	pages := make([]int, 60)
	for i := range pages {
		pages[i] = 1000
	}
	return write(path, &gen.File{
		Schema:    []*gen.Node{gen.Required("n", gen.Int64), gen.Required("text", gen.ByteArray).As(gen.StringType())},
		RowGroups: []gen.RowGroup{{Rows: rows}},
		All:       gen.Column{Codec: gen.Snappy, PageRows: pages},
	})
}

// hostileRows writes a file whose names and values are markup.
func hostileRows(path string) error {
	const bad = `<script>document.title='bad'</script>`
	rows := []any{gen.Record{bad: bad}, gen.Record{bad: "&lt;img src=x onerror=alert(1)>"}, gen.Record{}}
	return write(path, &gen.File{Schema: []*gen.Node{gen.Optional(bad, gen.ByteArray).As(gen.StringType())}, RowGroups: []gen.RowGroup{{Rows: rows}}})
}
