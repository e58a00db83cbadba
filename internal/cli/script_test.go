package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// The scripts run in the folder of the sample files, so that the names in
// their outputs are short. Each line of a case's input is a command line; the
// output is what it wrote to stdout, then the lines of stderr and the exit code.
// "contents FILE" shows a file that was written. width=80 makes the output a
// terminal of this width, which "colours" has colours; \e is their escape.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Chdir("../../testdata")
	dtest.RunAll(t, filepath.Join(scripts, "*.txt"), func(t *testing.T, c *dtest.Case) string {
		var out strings.Builder
		for line := range strings.Lines(c.Input) {
			args := shellWords(strings.ReplaceAll(line, "$TMP", tmp))
			if args[0] == "contents" {
				b, err := os.ReadFile(args[1])
				if err != nil {
					t.Error(err)
				}
				out.Write(b)
				continue
			}
			p := scan()
			if c.Has("width") {
				p.screen = &table.Screen{Width: c.Int(t, "width", 0), Colours: c.Has("colours")}
			}
			stdout, stderr, code := runProgram(t, t.Context(), p, os.Stdin, args...)
			out.WriteString(strings.ReplaceAll(stdout, "\x1b", `\e`))
			for line := range strings.Lines(stderr) {
				out.WriteString("stderr: " + line)
			}
			if code != 0 {
				out.WriteString("exit " + strconv.Itoa(code) + "\n")
			}
		}
		return strings.ReplaceAll(out.String(), tmp, "$TMP")
	})
}

// scan returns the program without extensions.
func scan() *Program { return &Program{Name: "scan"} }

func runScan(t *testing.T, ctx context.Context, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runProgram(t, ctx, scan(), os.Stdin, args...)
}

func runProgram(t *testing.T, ctx context.Context, p *Program, stdin *os.File, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	dir := t.TempDir()
	files := [2]*os.File{}
	for i := range files {
		f, err := os.Create(filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	code = p.Run(ctx, args, command.Streams{In: stdin, Out: files[0], Err: files[1]})
	texts := [2]string{}
	for i, f := range files {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(b)
	}
	return texts[0], texts[1], code
}

// shellWords splits a line at its spaces, other than those in single quotes.
// Outside of them, \' is a quote.
func shellWords(line string) (words []string) {
	word, quoted, begun, escaped := "", false, false, false
	for _, r := range strings.TrimSpace(line) + " " {
		switch {
		case escaped:
			word += string(r)
			escaped = false
		case r == '\\' && !quoted:
			escaped, begun = true, true
		case r == '\'':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			if begun {
				words = append(words, word)
			}
			word, begun = "", false
		default:
			word += string(r)
			begun = true
		}
	}
	return append(words, make([]string, max(0, 1-len(words)))...)
}

func TestInterruptIs130(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := filepath.Join(t.TempDir(), "never")
	for _, args := range [][]string{
		{"meta", "../../testdata/orders.parquet"},
		{"pages", "-o", never, "../../testdata/orders.parquet"},
	} {
		stdout, stderr, code := runScan(t, ctx, args...)
		if code != exitInterrupted || stdout != "" || stderr != "" {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if left, _ := filepath.Glob(never + "*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestCompletionScriptsRun(t *testing.T) {
	bin, built := t.TempDir(), false
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, tc := range []struct{ shell, try, want string }{
		{"bash", `COMP_WORDS=(scan pa); COMP_CWORD=1; _scan; echo ${COMPREPLY[@]}`, "pages"},
		{"bash", `COMP_WORDS=(scan script_t); COMP_CWORD=1; _scan; echo ${COMPREPLY[@]}`, "script_test.go"},
		{"bash", `COMP_WORDS=(scan dump --pa); COMP_CWORD=2; _scan; echo ${COMPREPLY[@]}`, "--page"},
		{"bash", `COMP_WORDS=(scan meta --format js); COMP_CWORD=3; _scan; echo ${COMPREPLY[@]}`, "json jsonl"},
		{"bash", `COMP_WORDS=(scan cat -c order_k ../../testdata/lineitems.parquet); COMP_CWORD=3; _scan; echo ${COMPREPLY[@]}`, "order_key"},
		{"bash", `COMP_WORDS=(scan cat -c order_key,ship_ ../../testdata/lineitems.parquet); COMP_CWORD=3; _scan; echo ${COMPREPLY[@]}`, "order_key,ship_date order_key,ship_mode"},
		{"bash", `COMP_WORDS=(scan max ship_m ../../testdata/lineitems.parquet); COMP_CWORD=2; _scan; echo ${COMPREPLY[@]}`, "ship_mode"},
		{"bash", `COMP_WORDS=(scan cat -c 'customer.address.ci' ../../testdata/orders.parquet); COMP_CWORD=3; _scan; echo ${COMPREPLY[@]}`, "customer.address.city"},
		{"zsh", `echo ok`, "ok"},
		{"fish", `complete -C "scan sche" | cut -f 1`, "schema"},
	} {
		script, _, code := runScan(t, t.Context(), "completion", tc.shell)
		if code != 0 || !strings.Contains(script, "scan completion "+tc.shell) || !strings.Contains(script, "row-group") {
			t.Errorf("%s: exit code %d, %s", tc.shell, code, script)
		}
		shell, err := exec.LookPath(tc.shell)
		if err != nil {
			continue
		}
		if !built && strings.Contains(tc.try, ".parquet") {
			if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "scan"), "../../cmd/scan").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			built = true
		}
		if tc.shell == "zsh" {
			script = "autoload -U compinit; compinit -D\n" + script
		}
		out, err := exec.Command(shell, "-c", script+"\n"+tc.try).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != tc.want {
			t.Errorf("%s: %s: %q, %v", tc.shell, tc.try, got, err)
		}
	}
}

// Names of columns are a file's to choose: completing them runs nothing, nor does the line that they
// complete.
func TestCompletionRunsNoColumn(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "scan"), "../../cmd/scan").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	data, err := (&gen.File{
		Schema:    []*gen.Node{gen.Required("$(touch ran)", gen.Int32), gen.Required("*", gen.Int32), gen.Required("ab", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"$(touch ran)": int32(1), "*": int32(2), "ab": int32(3)}}}},
	}).Write()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f.parquet"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	script, _, _ := runScan(t, t.Context(), "completion", "bash")
	run := exec.Command(bash, "-c", script+`
COMP_WORDS=(scan cat -c '' f.parquet); COMP_CWORD=3; _scan
echo ${#COMPREPLY[@]}
for word in "${COMPREPLY[@]}"; do eval "scan cat -c $word f.parquet" >/dev/null || echo "failed: $word"; done
ls`)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if got := string(out); err != nil || got != "3\nf.parquet\n" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestNoColoursInFiles(t *testing.T) {
	stdout, _, _ := runScan(t, t.Context(), "schema", "--format", "table", "../../testdata/orders.parquet")
	if stdout == "" || strings.Contains(stdout, "\x1b") {
		t.Errorf("colours in a file: %q", stdout)
	}
}

// Help that finds no room is not given.
func TestHelpThatIsNotWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"help"}, {"help", "cat"}, {"help", "version"}, {"version"}, {"completion", "bash"}} {
		if code := scan().Run(t.Context(), args, command.Streams{In: os.Stdin, Out: full, Err: full}); code != exitBadFile {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}
