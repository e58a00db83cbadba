package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// TestNoPathInSchema: a file whose column chunks do not say their path in the schema, which repeats what
// their place says, is shown as the same file with paths.
func TestNoPathInSchema(t *testing.T) {
	var rows []any
	for i := range 100 {
		rows = append(rows, gen.Record{"id": i, "tags": []any{"a", nil, "b"}[:i%4], "at": gen.Record{"x": i / 2, "y": i % 3}})
	}
	f := gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64), gen.List("tags", gen.Optional("element", gen.ByteArray).As(gen.StringType())),
			gen.Optional("at", gen.Group, gen.Required("x", gen.Int32), gen.Optional("y", gen.Int32)),
		},
		RowGroups: []gen.RowGroup{{Rows: rows[:60]}, {Rows: rows[60:]}},
		All:       gen.Column{PageRows: []int{25}, Bloom: 64, Shape: gen.Shape{Encoding: gen.Dictionary}},
	}
	each := func(change func(*wire.ColumnMetaData)) func(*wire.FileMetaData) {
		return func(m *wire.FileMetaData) {
			for _, g := range m.RowGroups {
				for _, c := range g.Columns {
					change(c.MetaData)
				}
			}
		}
	}
	chunks := func(change func([]*wire.ColumnChunk) []*wire.ColumnChunk) func(*wire.FileMetaData) {
		return func(m *wire.FileMetaData) {
			each(func(m *wire.ColumnMetaData) { m.PathInSchema = nil })(m)
			m.RowGroups[0].Columns = change(m.RowGroups[0].Columns)
		}
	}
	t.Chdir(t.TempDir())
	for folder, footer := range map[string]func(*wire.FileMetaData){
		"with": nil, "none": each(func(m *wire.ColumnMetaData) { m.PathInSchema = nil }),
		"some": each(func(m *wire.ColumnMetaData) {
			if m.PathInSchema[0] != "tags" {
				m.PathInSchema = nil
			}
		}),
		"less": chunks(func(all []*wire.ColumnChunk) []*wire.ColumnChunk { return all[1:] }),
		"more": chunks(func(all []*wire.ColumnChunk) []*wire.ColumnChunk { return append(all[:1:1], all...) }),
		"void": each(func(m *wire.ColumnMetaData) { m.PathInSchema = []string{} }), // as writers for older readers may have it
	} {
		f.Footer = footer
		b, err := f.Write()
		if err == nil {
			err = os.Mkdir(folder, 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "f.parquet"), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"cat F", "cat -w at.y=1 F", "cat --order-by at.x -n 9 F", "cat --unnest tags -c id F", "count -w id>70 F", "max at.x F", "describe F",
		"schema F", "pages F", "index F", "bloom F", "verify F", "explain -w at.x>40 F", "dump -c id F", "advise -w id=4 F",
	} {
		run := func(folder string) string {
			stdout, stderr, code := runScan(t, t.Context(), strings.Fields(strings.ReplaceAll(line, "F", folder+"/f.parquet"))...)
			if code != 0 || stderr != "" || stdout == "" {
				t.Errorf("%s %s: exit code %d, %s", line, folder, code, stderr)
			}
			return strings.ReplaceAll(stdout, folder+"/f.parquet", "with/f.parquet")
		}
		for _, folder := range []string{"none", "some", "void"} {
			if got, want := run(folder), run("with"); got != want {
				t.Errorf("%s, paths of %s:\n%s", line, folder, lineThatDiffers(got, want))
			}
		}
	}
	for _, folder := range []string{"less", "more"} { // then nothing tells which chunk is which column's
		for _, command := range []string{"cat", "describe", "meta", "pages", "index", "verify", "explain", "size"} {
			stdout, stderr, code := runScan(t, t.Context(), command, folder+"/f.parquet")
			if code != exitBadFile || !strings.Contains(stdout+stderr, "column chunks, the schema has 4 columns") {
				t.Errorf("%s %s: exit code %d, %s%s", command, folder, code, stdout, stderr)
			}
		}
	}
	paths := func(folder string) (all []string) {
		stdout, _, _ := runScan(t, t.Context(), "meta", folder+"/f.parquet")
		for _, part := range strings.Split(stdout, `"path":"`)[1:] {
			all = append(all, part[:strings.IndexByte(part, '"')])
		}
		return all
	}
	if got, want := strings.Join(paths("none"), " "), strings.Repeat(" id tags.list.element at.x at.y", 2)[1:]; got != want {
		t.Errorf("meta has the paths %s, not %s", got, want)
	}
}
