package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestMain runs the program itself where a test starts it.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_SCAN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// scan runs the program, and returns its exit code and what it prints.
func scan(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	var o, e strings.Builder
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "RUN_SCAN=1")
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

const samples = "../../testdata/"

// TestParquet writes rows as Parquet, and reads them again.
func TestParquet(t *testing.T) {
	for _, args := range [][]string{
		{samples + "lineitems.parquet"},
		{"-w", "discount > 0.05", "-c", "order_key,ship_date,comment", samples + "lineitems.parquet"},
		{"-n", "100", samples + "orders.parquet"},
		{"-w", "status >= 500", samples + "weblog.parquet"},
		{"../../scanner/internal/stored/testdata/types.parquet"}, // with durations, which Parquet lacks
	} {
		out := filepath.Join(t.TempDir(), "out.parquet")
		if code, _, errors := scan(t, append([]string{"cat", "-o", out}, args...)...); code != 0 {
			t.Errorf("%v: %s", args, errors)
			continue
		}
		_, want, _ := scan(t, append([]string{"cat", "--format", "jsonl"}, args...)...)
		_, got, errors := scan(t, "cat", "--format", "jsonl", out)
		if got != want || want == "" {
			t.Errorf("%v: %d bytes came back, want %d: %s\n%.300s\n%.300s", args, len(got), len(want), errors, got, want)
		}
	}
}

// TestFormats are the first bytes of each format, and errors that end in one line.
func TestFormats(t *testing.T) {
	for format, magic := range map[string]string{"arrow": "ARROW1", "arrows": "\xff\xff\xff\xff", "parquet": "PAR1"} {
		code, out, errors := scan(t, "cat", "--format", format, "-n", "10", samples+"weblog.parquet")
		if code != 0 || !strings.HasPrefix(out, magic) {
			t.Errorf("%s: exit code %d, %.10q, %s", format, code, out, errors)
		}
	}
	code, out, errors := scan(t, "cat", "--format", "parquet", samples+"shapes/decimals_odd.parquet")
	if code != 1 || out != "" || !strings.Contains(errors, "cannot be Parquet: ") {
		t.Errorf("a decimal that Parquet does not allow: exit code %d, %.10q, %s", code, out, errors)
	}
	code, _, errors = scan(t, "cat", "--format", "arrow", samples+"weblog.parquet", samples+"orders.parquet")
	if code == 0 || !strings.Contains(errors, "orders.parquet has other columns than") {
		t.Errorf("files of two schemas: exit code %d, %s", code, errors)
	}
}

// TestNullsOfLaterFiles writes files as one, of which only those behind the first may have NULLs.
func TestNullsOfLaterFiles(t *testing.T) {
	var files []string
	for _, c := range []struct {
		column string
		may    bool
		rows   string
	}{{"a", false, `[{"a": 1}]`}, {"a", true, `[{}]`}, {"b", false, `[{"b": 2}]`}} {
		files = append(files, filepath.Join(t.TempDir(), "f.parquet"))
		schema := arrow.NewSchema([]arrow.Field{{Name: c.column, Type: arrow.PrimitiveTypes.Int64, Nullable: c.may}}, nil)
		record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(c.rows))
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(files[len(files)-1])
		if err != nil {
			t.Fatal(err)
		}
		out, err := parquetFile(file, schema)
		if err := errors.Join(err, out.Write(record), out.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"arrow", "parquet"} {
		out := filepath.Join(t.TempDir(), "out."+format)
		for _, args := range [][]string{{files[0], files[1]}, {"--union", files[0], files[2]}} {
			if code, _, errors := scan(t, append([]string{"cat", "--format", format, "-o", out}, args...)...); code != 0 {
				t.Errorf("%s %v: %s", format, args, errors)
			}
			if format == "parquet" {
				_, want, _ := scan(t, append([]string{"cat", "--format", "jsonl"}, args...)...)
				if _, got, errors := scan(t, "cat", "--format", "jsonl", out); got != want || want == "" {
					t.Errorf("%v: %s came back, want %s: %s", args, got, want, errors)
				}
			}
		}
	}
}
