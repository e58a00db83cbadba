package cli

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// With --keys, commands show of an encrypted file what they show of its plain twin, where
// encryption does not change sizes and places; and without, what they may.
func TestKeysOfEncryptedFiles(t *testing.T) {
	dir := t.TempDir()
	footer, column := gen.Key{Bytes: "0123456789abcdef"}, gen.Key{Metadata: "key of a", Bytes: "0123456789abcdef01234567"}
	write := func(name string, e *gen.Encryption) string {
		f := gen.File{
			Schema: []*gen.Node{gen.Required("k", gen.Int64), gen.Optional("a", gen.ByteArray).As(gen.StringType())},
			All:    gen.Column{PageRows: []int{5}, Bloom: 64, Shape: gen.Shape{Encoding: gen.Dictionary}}, Encryption: e,
		}
		var rows []any
		for i := range 20 {
			rows = append(rows, gen.Record{"k": int64(i), "a": fmt.Sprintf("text %d", i/3)})
		}
		f.RowGroups = []gen.RowGroup{{Rows: rows}}
		b, err := f.Write()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name, "f.parquet")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	keys := filepath.Join(dir, "keys.txt")
	putKeys := func(lines ...string) {
		if err := os.WriteFile(keys, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inHex := func(k gen.Key) string { return hex.EncodeToString([]byte(k.Bytes)) }
	run := func(args string, files ...string) (stdout, stderr string, code int) {
		t.Helper()
		return runProgram(t, t.Context(), &Program{Name: "scan"}, os.Stdin, append(strings.Fields(args), files...)...)
	}
	columns := func(path string) gen.Key {
		if path == "a" {
			return column
		}
		return footer
	}
	plain := write("plain", nil)
	for i, e := range []gen.Encryption{{}, {PlainFooter: true}, {CTR: true}} {
		e.Footer, e.Column = footer, columns
		path := write(fmt.Sprint(i), &e)
		putKeys("# keys", "", "footer "+inHex(footer), "  key of a \t "+strings.ToUpper(inHex(column)))
		for _, args := range []string{
			"cat", "cat -w a='text_3'", "cat -w k=7", "head -n 3 -c a", "tail -n 2", "count -w k>3", "min k", "max a", "describe --format json", "schema", "sample 3 --seed 5",
			"cat --order-by a -n 4", "cat --union",
		} {
			want, _, _ := run(args, plain)
			got, stderr, code := run(args+" --keys "+keys, path)
			if strings.ReplaceAll(got, path, plain) != want || code != exitOK || stderr != "" {
				t.Errorf("%s: exit code %d, %s\n%swant\n%s", args, code, stderr, got, want)
			}
		}
		for args, want := range map[string]string{
			"meta": `"encrypted":true,`, "meta --format table -c a": "text 0", "pages": `"page":3,`, "index": `"min":"text 5"`, "bloom": `"blocks":2`,
			"bloom --test text_9 -c a": `"row_group":0`, "size": `"column":"a"`, "verify": `"faults":0,"flaws":0`, "dump --page 1 -c a": "5", "dump --page dict -c a": "text 3", "explain -w k=7 --analyze": "k = 7",
			"advise -w k=7": "k",
		} {
			got, stderr, code := run(args+" --keys "+keys, path)
			if !strings.Contains(got, want) || code != exitOK || stderr != "" {
				t.Errorf("%s: exit code %d, %s\n%s", args, code, stderr, got)
			}
		}

		putKeys("footer " + inHex(footer))
		if got, stderr, code := run("cat -n 1 -c k --keys "+keys, path); got != "{\"k\":0}\n" || stderr != "" || code != exitOK {
			t.Errorf("%s%s", got, stderr)
		}
		hint := `column is encrypted, and its key cannot be had: ` + keys + ` has no key "key of a"; -c -a leaves the column out`
		if _, stderr, code := run("cat --keys "+keys, path); code != exitBadFile || !strings.Contains(stderr, hint) {
			t.Errorf("%s", stderr)
		}
		if got, stderr, code := run("meta --format table --keys "+keys, path); code != exitBadFile || !strings.Contains(got, "encrypted") || strings.Contains(got, "text 0") || !strings.Contains(stderr, "leaves the column out") {
			t.Errorf("%s%s", got, stderr)
		}
		hint = "encrypted, and no keys are given; --keys FILE gives keys"
		if _, stderr, code := run("cat", path); code != exitBadFile || !strings.Contains(stderr, hint) {
			t.Errorf("%s", stderr)
		}
		putKeys("footer " + strings.Repeat("00", 16))
		if _, stderr, code := run("cat --keys "+keys, path); code != exitBadFile || !strings.Contains(stderr, "wrong key, or altered") {
			t.Errorf("%s", stderr)
		}
	}
	for line, want := range map[string]string{"footer": "line 2: want a name", inHex(footer): "line 2: want a name", "footer 0g": "line 2: want a name", "footer 00": "line 2: want a name"} {
		putKeys("", line)
		if _, stderr, code := run("cat --keys "+keys, plain); code != exitUsage || !strings.Contains(stderr, want) || strings.Contains(stderr, inHex(footer)) {
			t.Errorf("%q: %s", line, stderr)
		}
	}
	if _, stderr, code := run("cat --keys none.txt", plain); code != exitUsage || !strings.Contains(stderr, "--keys: open none.txt") {
		t.Errorf("%s", stderr)
	}
}

// writeEncrypted writes a file with a column k of 20 rows, and returns its path.
func writeEncrypted(t *testing.T, path string, e *gen.Encryption) string {
	t.Helper()
	f := gen.File{Schema: []*gen.Node{gen.Required("k", gen.Int64)}, Encryption: e, RowGroups: []gen.RowGroup{{}}}
	for i := range 20 {
		f.RowGroups[0].Rows = append(f.RowGroups[0].Rows, gen.Record{"k": int64(i)})
	}
	b, err := f.Write()
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// With --keys, plain files are refused, and with --aad-prefix files with another prefix, in
// files and in the folder that is served.
func TestKeysDemandEncryption(t *testing.T) {
	dir := t.TempDir()
	footer := gen.Key{Bytes: "0123456789abcdef"}
	keys := filepath.Join(dir, "keys.txt")
	if err := os.WriteFile(keys, []byte("footer "+hex.EncodeToString([]byte(footer.Bytes))), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := writeEncrypted(t, filepath.Join(dir, "plain.parquet"), nil)
	may := writeEncrypted(t, filepath.Join(dir, "may.parquet"), &gen.Encryption{Footer: footer, Prefix: "table of May", HidePrefix: true})
	june := writeEncrypted(t, filepath.Join(dir, "june.parquet"), &gen.Encryption{Footer: footer, Prefix: "table of June"})
	for _, tc := range []struct {
		args, prefix, file, want string
		code                     int
	}{
		{"count --keys " + keys, "", june, "", exitOK},
		{"count", "", plain, "", exitOK},
		{"count --keys " + keys, "", plain, "the file is not encrypted, and it must be", exitBadFile},
		{"cat -n 1 --keys " + keys, "", plain, "the file is not encrypted, and it must be", exitBadFile},
		{"verify --keys " + keys, "table of May", plain, "the file is not encrypted, and it must be", exitBadFile},
		{"count --keys " + keys, "", may, "does not have the AAD prefix", exitBadFile},
		{"count --keys " + keys, "table of May", may, "", exitOK},
		{"cat -n 1 --keys " + keys, "table of May", may, "", exitOK},
		{"count --keys " + keys, "table of June", june, "", exitOK},
		{"count --keys " + keys, "table of May", june, "another AAD prefix", exitBadFile},
		{"count --keys " + keys, "table of June", may, "wrong key, or altered", exitBadFile},
		{"count", "table of June", plain, "--aad-prefix: without --keys, nothing tells the prefix of a file", exitUsage},
	} {
		args := strings.Fields(tc.args)
		if tc.prefix != "" {
			args = append(args, "--aad-prefix", tc.prefix)
		}
		if out, stderr, code := runProgram(t, t.Context(), &Program{Name: "scan"}, os.Stdin, append(args, tc.file)...); code != tc.code || !strings.Contains(out+stderr, tc.want) || code == exitOK && stderr != "" {
			t.Errorf("%s, prefix %q, %s: exit code %d, %s%s, want %q", tc.args, tc.prefix, filepath.Base(tc.file), code, out, stderr, tc.want)
		}
	}
}

// What of an encrypted file can be altered unnoticed, meta says.
func TestMetaOfWeakEncryption(t *testing.T) {
	dir := t.TempDir()
	footer := gen.Key{Metadata: "footer", Bytes: "0123456789abcdef"}
	keys := filepath.Join(dir, "keys.txt")
	if err := os.WriteFile(keys, []byte("footer "+hex.EncodeToString([]byte(footer.Bytes))), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, e := range map[string]*gen.Encryption{
		"": {}, "pages": {CTR: true}, "places of pages and indexes, as DuckDB encrypts": {AsDuckDB: true},
		"pages, plain footer": {CTR: true, PlainFooter: true},
	} {
		e.Footer = footer
		path := writeEncrypted(t, filepath.Join(dir, "f.parquet"), e)
		for form, want := range map[string]string{"json": `"not_authenticated":"` + strings.TrimSuffix(what, ", plain footer"), "table": "not authenticated  " + strings.TrimSuffix(what, ", plain footer")} {
			out, stderr, code := runProgram(t, t.Context(), &Program{Name: "scan"}, os.Stdin, "meta", "--format", form, "--keys", keys, path)
			if code != exitOK || stderr != "" || strings.Contains(out, want) != (what != "") || e.PlainFooter && form == "table" && !strings.Contains(out, "signed, verified") {
				t.Errorf("%q as %s: exit code %d, %s%s", what, form, code, stderr, out)
			}
		}
	}
}
