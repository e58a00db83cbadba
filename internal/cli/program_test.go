package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// memoryFiles are files of a scheme. It counts those that are open.
type memoryFiles struct {
	data map[string][]byte
	mu   sync.Mutex
	open int
}

type memoryFile struct {
	fetch.Source
	files *memoryFiles
}

func (f *memoryFile) Close() error {
	f.files.mu.Lock()
	defer f.files.mu.Unlock()
	f.files.open--
	return nil
}

func (m *memoryFiles) Open(_ context.Context, name string) (fetch.Source, error) {
	b, ok := m.data[name]
	if !ok {
		return nil, errors.New("not in memory")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open++
	return &memoryFile{fetch.FromBytes(b), m}, nil
}

func (m *memoryFiles) Match(_ context.Context, arg string) (names []string, err error) {
	for _, name := range []string{"mem://a/year=2023/x.parquet", "mem://a/year=2024/x.parquet"} {
		if ok, err := path.Match(arg, name); ok || err != nil {
			names = append(names, name)
		}
	}
	if names == nil {
		return []string{arg}, nil
	}
	return names, nil
}

// keyRows writes the text of the first column, a line a row.
type keyRows struct {
	w    io.Writer
	keys *vector.Slots
	rows int
}

func (k *keyRows) Columns(file string, fields []vector.Field) error {
	k.keys = fields[0].Text()
	_, err := fmt.Fprintln(k.w, file, fields[0].Name)
	return err
}

func (k *keyRows) Rows(b *vector.Batch, from, to int) error {
	k.keys.Use(b.Columns[0])
	for i := from; i < to; i++ {
		text, err := k.keys.Append(nil, i)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(k.w, "%s\n", text); err != nil {
			return fmt.Errorf("keys: %w", err)
		}
		k.rows++
	}
	return nil
}

func (k *keyRows) Finish() error {
	_, err := fmt.Fprintln(k.w, k.rows, "rows")
	return err
}

// firstCommand prints how many row groups files have, and the rows of the first.
func firstCommand() command.Command {
	return command.Command{
		Name: "groups", Args: "FILE...", Summary: "print the number of row groups", Detail: "It reads footers.",
		Prepare: func(fs *flag.FlagSet) func(context.Context, *command.Call) error {
			rows := fs.Bool("rows", false, "the rows of the first one, too")
			return func(ctx context.Context, call *command.Call) error {
				if len(call.Args) == 0 {
					return fault.Usage("which file?")
				}
				for _, arg := range call.Args {
					names, err := call.Opener.Match(ctx, arg)
					if err != nil {
						return err
					}
					for _, name := range names {
						f, err := call.Opener.Open(ctx, name)
						if err != nil {
							return err
						}
						groups := f.Footer().RowGroups
						fmt.Fprint(call.Out, name, " ", len(groups))
						if *rows {
							fmt.Fprint(call.Out, " ", groups[0].NumRows)
						}
						fmt.Fprintln(call.Out)
						if err := f.Close(); err != nil {
							return err
						}
					}
				}
				return nil
			}
		},
	}
}

// firstRowCommand prints the first row of a file, in any format.
func firstRowCommand() command.Command {
	return command.Command{
		Name: "row", Args: "FILE", Summary: "print the first row", Rows: true,
		Prepare: func(fs *flag.FlagSet) func(context.Context, *command.Call) error {
			return func(ctx context.Context, call *command.Call) error {
				f, err := call.Opener.Open(ctx, call.Args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				for b, err := range f.Scan(ctx, scanner.Options{Select: []string{"order_id"}}) {
					if err != nil {
						return err
					}
					return errors.Join(call.Rows.Columns(f.Name(), b.Fields), call.Rows.Rows(b, 0, 1))
				}
				return nil
			}
		},
	}
}

func TestProgramWithExtensions(t *testing.T) {
	orders, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	files := &memoryFiles{data: map[string][]byte{"mem://a/year=2023/x.parquet": orders, "mem://a/year=2024/x.parquet": orders}}
	p := &Program{
		Name:    "more",
		Schemes: []input.Scheme{{Name: "mem", Open: files.Open, Match: files.Match}, {Name: "bare", Open: files.Open}},
		Formats: []output.Format{{
			Name: "keys", Endings: []string{"keys", "k"},
			New: func(w *output.Report) (output.RowWriter, error) { return &keyRows{w: w}, nil },
		}},
		Commands: []command.Command{firstCommand(), firstRowCommand()},
	}
	out := filepath.Join(t.TempDir(), "out.K")
	for _, tc := range []struct {
		args, stdout, stderr string
		code                 int
	}{
		{args: "count mem://a/*/x.parquet", stdout: `{"file":"mem://a/year=2023/x.parquet","rows":3000}` + "\n" + `{"file":"mem://a/year=2024/x.parquet","rows":3000}` + "\n" + `{"files":2,"rows":6000}` + "\n"},
		{args: "cat -c order_id,year -n 1 -w year=2024 mem://a/*/x.parquet", stdout: `{"order_id":1000,"year":2024}` + "\n"},
		{args: "cat -n 2 --format keys mem://a/year=2023/x.parquet", stdout: "mem://a/year=2023/x.parquet order_id\n1000\n1001\n2 rows\n"},
		{args: "head -n 1 --format keys mem://a/*/x.parquet", stdout: "mem://a/year=2023/x.parquet order_id\n1000\nmem://a/year=2024/x.parquet order_id\n1000\n2 rows\n"},
		{args: "sample 1 --seed 7 -w order_id=1003 --format keys mem://a/year=2023/x.parquet", stdout: "mem://a/year=2023/x.parquet order_id\n1003\n1 rows\n"},
		{args: "cat -n 1 -o " + out + " mem://a/year=2023/x.parquet"},
		{args: "count bare://b mem://none ../../testdata/orders.parquet", code: exitBadFile, stdout: `{"file":"../../testdata/orders.parquet","rows":3000}` + "\n", stderr: "bare://b: not in memory\nmem://none: not in memory\n"},
		{args: "cat -n 0 ../../testdata/orders.parquet mem://none", code: exitBadFile, stderr: "mem://none: not in memory\n"},
		{args: "count --format keys mem://none", code: exitUsage, stderr: "more: count: no format \"keys\", only table, json, jsonl\nTry: more help count\n"},
		{args: "cat other://x", code: exitBadFile, stderr: "other://x: no scheme \"other\", only files of this machine, mem://, bare://\n"},
		{args: "groups --rows mem://a/*/x.parquet", stdout: "mem://a/year=2023/x.parquet 2 1500\nmem://a/year=2024/x.parquet 2 1500\n"},
		{args: "groups", code: exitUsage, stderr: "more: groups: which file?\nTry: more help groups\n"},
		{args: "groups --row x", code: exitUsage, stderr: "more: groups: no flag --row; did you mean --rows?\nTry: more help groups\n"},
		{args: "groups bare://b", code: exitBadFile, stderr: "more: bare://b: not in memory\n"},
		{args: "groups -h", stdout: "Print the number of row groups.\n\nUsage: more groups [FLAGS] FILE...\n\n" +
			"      --aad-prefix TEXT   the AAD prefix that files must have: a text that says\n                          which files they are; with --keys\n" +
			"      --cache FOLDER      keep what is read of files of other machines in this\n                          folder, for later runs\n" +
			"      --cache-size SIZE   bound the folder of --cache to this size, like 500M or\n                          20G; 1G if not given\n" +
			"      --keys FILE         a file with the keys of encrypted files: lines of a\n                          name and hexadecimal digits; plain files are refused\n" +
			"      --rows              the rows of the first one, too\n\nIt reads footers.\n"},
		{args: "row bare://b", code: exitBadFile, stderr: "more: bare://b: not in memory\n"},
		{args: "row ../../testdata/orders.parquet", stdout: `{"order_id":1000}` + "\n"},
		{args: "row --format json ../../testdata/orders.parquet", stdout: "[\n" + `{"order_id":1000}` + "\n]\n"},
		{args: "row --format csv ../../testdata/orders.parquet", stdout: "order_id\n1000\n"},
		{args: "row --format keys ../../testdata/orders.parquet", stdout: "../../testdata/orders.parquet order_id\n1000\n1 rows\n"},
		{args: "row -o " + filepath.Dir(out) + "/row.csv ../../testdata/orders.parquet"},
		{args: "row -o " + filepath.Dir(out) + "/none.csv bare://b", code: exitBadFile, stderr: "more: bare://b: not in memory\n"},
		{args: "row --format xml x", code: exitUsage, stderr: "more: row: no format \"xml\", only table, json, jsonl, csv, tsv, keys\nTry: more help row\n"},
		{args: "row -o x.xml x", code: exitUsage, stderr: "more: row: -o x.xml: there is no format for the ending .xml, only for .json, .jsonl, .csv, .tsv, .keys, .k; with --format it may be any\nTry: more help row\n"},
		{args: "gruops", code: exitUsage, stderr: "more: no command \"gruops\"; did you mean \"groups\"?\nTry: more help\n"},
	} {
		stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, strings.Fields(tc.args)...)
		if stdout != tc.stdout || stderr != tc.stderr || code != tc.code {
			t.Errorf("%s: exit code %d\n%s%s\nwant %d\n%s%s", tc.args, code, stdout, stderr, tc.code, tc.stdout, tc.stderr)
		}
		if files.open != 0 {
			t.Errorf("%s: %d files are open", tc.args, files.open)
		}
	}
	if b, err := os.ReadFile(out); string(b) != "mem://a/year=2023/x.parquet order_id\n1000\n1 rows\n" {
		t.Errorf("%s, %v", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(filepath.Dir(out), "row.csv")); string(b) != "order_id\n1000\n" {
		t.Errorf("%s, %v", b, err)
	}
	if files, err := os.ReadDir(filepath.Dir(out)); len(files) != 2 || err != nil {
		t.Errorf("%v are left, %v", files, err)
	}
	for _, tc := range [][]string{
		{"help", "\n  groups      print the number of row groups\n", "It may start with mem://, bare://.\n"},
		{"help cat", ": table, json, jsonl, csv, tsv, keys\n", " .json, .jsonl, .csv, .tsv, .keys, .k choose the form\n"},
		{"help pages", `"more dump --page"`},
		{"version", "more "},
		{"completion bash", "complete -F _more more\n", "groups) flags=\"--aad-prefix --cache --cache-size --keys --rows\"", "csv tsv keys"},
		{"completion bash", "row) flags=\"-o --output --aad-prefix --cache --cache-size --format --keys\""},
		{"help row", "--format FORM", "-o, --output FILE"},
		{"completion zsh", "compdef _more more\n", "groups) _arguments '--aad-prefix["},
		{"completion fish", "complete -c more -n '__fish_seen_subcommand_from groups' -l rows"},
	} {
		stdout, _, _ := runProgram(t, t.Context(), p, os.Stdin, strings.Fields(tc[0])...)
		words := strings.Join(strings.Fields(stdout), " ") // help is filled, wherever its lines end
		for _, want := range tc[1:] {
			if !strings.Contains(words, strings.Join(strings.Fields(want), " ")) || strings.Contains(stdout, "scan completion") {
				t.Errorf("%s: no %q in\n%s", tc[0], want, stdout)
			}
		}
	}
}

// A format whose output cannot be written ends the command, and is no file's fault.
func TestFormatThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	said, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	p := &Program{Name: "more", Formats: []output.Format{
		{Name: "keys", New: func(w *output.Report) (output.RowWriter, error) { return &keyRows{w: w}, nil }},
		{Name: "never", New: func(*output.Report) (output.RowWriter, error) { return nil, errors.New("no room for it") }},
	}}
	const file = "../../testdata/lineitems.parquet"
	for format, want := range map[string]string{
		"keys":  "more: write /dev/full: no space left on device\n",
		"never": "more: no room for it\n",
	} {
		if err := said.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := said.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		code := p.Run(t.Context(), []string{"cat", "--format", format, file, file}, command.Streams{In: os.Stdin, Out: full, Err: said})
		if b, err := os.ReadFile(said.Name()); code == exitOK || string(b) != want {
			t.Errorf("%s: exit code %d, %q, %v", format, code, b, err)
		}
	}
}
