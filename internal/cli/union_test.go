package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// objects reads rows in JSON. Each of a union has the columns of all.
func objects(t *testing.T, text string) (rows []map[string]json.RawMessage) {
	t.Helper()
	for line := range strings.Lines(text) {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// The rows of a union are those of its files, with NULL in columns that a file
// lacks, and integers of the wider type.
func TestUnionIsTheFilesWithNulls(t *testing.T) {
	files := []string{"../../testdata/writers/duckdb_v1.parquet", "../../testdata/writers/parquet_go_nested.parquet", "../../testdata/writers/pyarrow_bloom.parquet"}
	names := files[:2] // id of the third is a text
	var want []map[string]json.RawMessage
	columns := map[string]bool{}
	for _, name := range names {
		stdout, _, _ := runScan(t, t.Context(), "cat", name)
		rows := objects(t, stdout)
		for column := range rows[0] {
			columns[column] = true
		}
		want = append(want, rows...)
	}
	for _, row := range want {
		for column := range columns {
			if _, ok := row[column]; !ok {
				row[column] = json.RawMessage("null")
			}
		}
	}
	stdout, stderr, code := runScan(t, t.Context(), append([]string{"cat", "--union"}, names...)...)
	if got := objects(t, stdout); code != 0 || len(columns) != 11 || !reflect.DeepEqual(got, want) {
		t.Errorf("exit code %d, %d rows, not %d, of %d columns: %s", code, len(got), len(want), len(columns), stderr)
	}
	stdout, _, _ = runScan(t, t.Context(), append([]string{"cat", "--union", "--csv"}, names...)...)
	if header, rows := stdout[:strings.IndexByte(stdout, '\n')], strings.Count(stdout, "\n"); header != "id,small,word,amount,day,list,pair,attributes,parts,labels,origin" || rows != len(want)+1 {
		t.Errorf("%d lines below %s", rows, header)
	}
	// The other order of files has the same types.
	stdout, _, code = runScan(t, t.Context(), "cat", "--union", "-c", "i*,-x*,small", "-w", "id = 2999 OR id = 199", names[1], names[0])
	if code == 0 || stdout != "" {
		t.Errorf("a pattern without a column: exit code %d, %s", code, stdout)
	}
	stdout, _, _ = runScan(t, t.Context(), "cat", "--union", "-c", "i*,small", "-w", "id = 2999 OR id = 199", names[1], names[0])
	if want := `{"id":199,"small":null}` + "\n" + `{"id":199,"small":4}` + "\n" + `{"id":2999,"small":9}` + "\n"; stdout != want {
		t.Errorf("%s, not %s", stdout, want)
	}
	// Types that do not go together are an error before any row, unless -c leaves them out.
	stdout, stderr, code = runScan(t, t.Context(), append([]string{"cat", "--union", "-c", "id"}, files...)...)
	if code != exitBadFile || stdout != "" || !strings.Contains(stderr, `pyarrow_bloom.parquet: column "id": BYTE_ARRAY STRING here and INT64 INT(64) in ../../testdata/writers/parquet_go`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// The rows of an order are those that sorting all rows gives.
func TestOrderByIsASort(t *testing.T) {
	name := "../../testdata/weblog.parquet"
	stdout, _, _ := runScan(t, t.Context(), "cat", "-c", "latency_ms,time", "-w", "status <> 200", name, name)
	rows := slices.Collect(strings.Lines(stdout))
	latency := func(row string) int {
		var r struct {
			Latency int `json:"latency_ms"`
		}
		if err := json.Unmarshal([]byte(row), &r); err != nil {
			t.Fatal(err)
		}
		return r.Latency
	}
	for _, direction := range []int{1, -1} {
		sorted := slices.Clone(rows)
		slices.SortStableFunc(sorted, func(a, b string) int { return direction * (latency(a) - latency(b)) })
		order := "latency_ms"
		if direction < 0 {
			order += " desc"
		}
		for _, command := range []string{"cat", "head"} {
			stdout, stderr, code := runScan(t, t.Context(), command, "--order-by", order, "-n", "50", "-c", "latency_ms,time", "-w", "status <> 200", name, name)
			got := slices.Collect(strings.Lines(stdout))
			if code != 0 || len(got) != 50 {
				t.Errorf("%s by %s: exit code %d, %d rows, %s", command, order, code, len(got), stderr)
				continue
			}
			for i := range got {
				if latency(got[i]) != latency(sorted[i]) || !slices.Contains(rows, got[i]) {
					t.Errorf("%s by %s: row %d is %s, not %s", command, order, i, got[i], sorted[i])
				}
			}
		}
	}
}

// A folder is its Parquet files as one table.
func TestFoldersAreTables(t *testing.T) {
	root := t.TempDir()
	for to, from := range map[string]string{"y=1/a.parquet": "orders", "y=2/b.PARQUET": "weblog", "_tmp/c.parquet": "weblog", ".hidden/d.parquet": "weblog", "y=1/_e.parquet": "weblog"} {
		data, err := os.ReadFile("../../testdata/" + from + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(root, "t", filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"empty", "t/y=3/notes"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "t/y=3/notes/readme.txt"), []byte("no Parquet"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("t", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	t.Chdir(root)
	for line, want := range map[string]string{
		"count t":                                                  `{"file":"t/y=1/a.parquet","rows":3000}` + "\n" + `{"file":"t/y=2/b.PARQUET","rows":20000}` + "\n" + `{"files":2,"rows":23000}` + "\n",
		"link -2 -c *_id,y":                                        `{"order_id":1000,"user_id":null,"y":1}` + "\n" + `{"order_id":1001,"user_id":null,"y":1}` + "\n",
		"cat t -n 1 -w user_id=100000 -c y,*_id":                   `{"y":2,"order_id":null,"user_id":100000}` + "\n",
		"cat t --offset 2999 -n 2 -c y,status":                     `{"y":1,"status":null}` + "\n" + `{"y":2,"status":200}` + "\n",
		"sample 2 t -w user_id=474265963 -c y,order_id,user_id":    `{"y":2,"order_id":null,"user_id":474265963}` + "\n",
		"t/y=1 -1 -c customer.name":                                `{"customer":{"name":"bold crate"}}` + "\n",
		"head t/y=1 --order-by order_id\\ desc -n 1 -c order_id,y": `{"order_id":3999,"y":1}` + "\n",
	} {
		stdout, stderr, code := runScan(t, t.Context(), shellWords(line)...)
		if filepath.ToSlash(stdout) != want || code != 0 {
			t.Errorf("%s: exit code %d, %s\n%s", line, code, stderr, stdout)
		}
	}
	for _, where := range [][]string{nil, {"-w", "user_id = 100000 OR order_id > 3500"}} {
		stdout, _, _ := runScan(t, t.Context(), append([]string{"cat", "t", "-c", "y,order_id,user_id"}, where...)...)
		rows := slices.Collect(strings.Lines(stdout))
		for _, n := range []int{0, 1, 2100, 20001, 30000} {
			args := append([]string{"tail", "t", "-c", "y,order_id,user_id", "-n", strconv.Itoa(n)}, where...)
			want := strings.Join(rows[max(len(rows)-n, 0):], "")
			if stdout, stderr, code := runScan(t, t.Context(), args...); stdout != want || code != 0 || stderr != "" {
				t.Errorf("%q: exit code %d, %d bytes, not %d, %s", args, code, len(stdout), len(want), stderr)
			}
		}
	}
	if _, stderr, code := runScan(t, t.Context(), "head", "empty"); code != exitBadFile || stderr != "empty: no Parquet files in it\n" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// Progress is told where rows are looked for before they are printed, too.
func TestProgressOfOrdersAndTails(t *testing.T) {
	lines, orders := "../../testdata/lineitems.parquet", "../../testdata/orders.parquet"
	for _, args := range [][]string{
		{"head", "-1", "--order-by", "quantity", lines, lines},
		{"tail", "-1", "-w", "quantity > 40", lines},
		{"tail", "-1", "--union", "-w", "quantity > 40", lines, orders},
	} {
		_, stderr, code := runScan(t, t.Context(), append(args, "--progress=always")...)
		if code != 0 || !strings.Contains(stderr, "parquet") || !strings.Contains(stderr, " read") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
}

// Conditions of a union are on its types, and on columns that a file lacks: in all commands that read it.
func TestUnionConditions(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name string, columns []*gen.Node, rows ...any) {
		b, err := (&gen.File{Schema: columns, RowGroups: []gen.RowGroup{{Rows: rows}}}).Write()
		if err == nil {
			err = os.WriteFile(name, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	variant := gen.Optional("v", gen.Group, gen.Required("metadata", gen.ByteArray), gen.Required("value", gen.ByteArray))
	variant.Logical = gen.Logical{Kind: gen.KindVariant}
	write("a", []*gen.Node{gen.Required("k", gen.Int32), gen.Required("x", gen.Double), variant},
		gen.Record{"k": int32(1), "x": 0.1, "v": gen.Record{"metadata": []byte{1, 0, 0}, "value": []byte{12, 7}}}, gen.Record{"k": int32(2), "x": 7.5})
	write("b", []*gen.Node{gen.Required("x", gen.Float), gen.Required("k", gen.Int64)}, gen.Record{"k": int64(3), "x": float32(0.1)}, gen.Record{"k": int64(4), "x": float32(7)})
	write("c", []*gen.Node{gen.Required("k", gen.Int64), gen.Required("w", gen.Int32)}, gen.Record{"k": int64(5), "w": int32(9)})
	for where, want := range map[string]string{
		"x = 0.1": "1", "x > 0.1": "2 3 4", "x + 0.5 = 0.6": "1", "CAST(x AS VARCHAR) = '7.0'": "4", "x IS NULL": "5", "w = 9 OR x < 1": "1 3 5", "k / 3 = x - 6": "",
		"v IS NULL": "2 3 4 5", "v = 7": "1", "v = 7 OR k = 4": "1 4", "v.a.b IS NULL AND k <> 3": "1 2 4 5", "v <> 7": "", "CAST(v AS VARCHAR) = '7' OR w > 8": "1 5",
	} {
		for _, command := range []string{"cat", "cat -n 9", "head -n 9", "tail -n 9", "sample 9", "cat -n 9 --order-by k", "cat -n 9 --order-by w"} {
			args := append(strings.Fields(command), "--union", "-c", "k", "--csv", "-w", where, "a", "b", "c")
			stdout, stderr, code := runScan(t, t.Context(), args...)
			rows := strings.Fields(stdout)[1:]
			if slices.Sort(rows); code != 0 || strings.Join(rows, " ") != want {
				t.Errorf("%q: exit code %d, %q, not %q: %s", args, code, rows, want, stderr)
			}
		}
	}
}
