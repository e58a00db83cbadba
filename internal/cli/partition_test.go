package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folders like year=2024 are columns. A file whose folders tell that no row passes
// is not opened: here it could not be.
func TestFoldersAreColumns(t *testing.T) {
	orders, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for path, content := range map[string][]byte{
		"t/year=2023/a.parquet": []byte("no Parquet file"), "t/year=2024/b.parquet": orders, "t/year=2025/c.parquet": orders,
	} {
		path = filepath.FromSlash(path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	const all = "t/**/*.parquet"
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"cat", "-c", "year,order_id", "-w", "year >= 2024 AND order_id = 1003", all}, `{"year":2024,"order_id":1003}` + "\n" + `{"year":2025,"order_id":1003}` + "\n"},
		{[]string{"cat", "-c", "order_id,year", "-w", "year >= 2024", "-n", "2", "--offset", "2999", all}, `{"order_id":3999,"year":2024}` + "\n" + `{"order_id":1000,"year":2025}` + "\n"},
		{[]string{"head", "-n", "1", "-c", "customer.name,year", "-w", "year > 2024", all}, `{"customer":{"name":"bold crate"},"year":2025}` + "\n"},
		{[]string{"cat", "-c", "year", "-w", "order_id = 1001 AND year = 2025", "--unnest", "items", all}, `{"year":2025,"item":{"sku":"SKU-0000","quantity":7,"price":85.59,"tags":["green","red"]}}` + "\n"},
		{[]string{"sample", "3", "-c", "year,order_id", "-w", "year = 2025 AND order_id < 1003", all}, `{"year":2025,"order_id":1000}` + "\n" + `{"year":2025,"order_id":1001}` + "\n" + `{"year":2025,"order_id":1002}` + "\n"},
		{[]string{"count", "-w", "year = 2024 AND order_id < 1010", all}, `{"file":"t/year=2023/a.parquet","rows":0}` + "\n" + `{"file":"t/year=2024/b.parquet","rows":10}` + "\n" + `{"file":"t/year=2025/c.parquet","rows":0}` + "\n" + `{"files":3,"rows":10}` + "\n"},
		{[]string{"max", "order_id", "-w", "year <> 2023 AND order_id < 1500", all}, `{"file":"t/year=2023/a.parquet","column":"order_id","max":null}` + "\n" + `{"file":"t/year=2024/b.parquet","column":"order_id","max":1499}` + "\n" + `{"file":"t/year=2025/c.parquet","column":"order_id","max":1499}` + "\n" + `{"files":3,"column":"order_id","max":1499}` + "\n"},
		{[]string{"max", "year", "-w", "year > 2023", "t/year=2024/b.parquet", "t/year=2025/c.parquet"}, `{"file":"t/year=2024/b.parquet","column":"year","max":2024}` + "\n" + `{"file":"t/year=2025/c.parquet","column":"year","max":2025}` + "\n" + `{"files":2,"column":"year","max":2025}` + "\n"},
		{[]string{"min", "year", "-w", "order_id < 0", "t/year=2025/c.parquet"}, `{"file":"t/year=2025/c.parquet","column":"year","min":null}` + "\n"},
		{[]string{"explain", "--format", "table", "-w", "year = 2025 AND order_id = 1", all}, "t/year=2025/c.parquet  0 of 3,000 rows may pass\n  where  year = 2025 AND order_id = 1\n  runs   order_id = 1\n  reads  0 of 2 row groups, at most 0 B of 121 KiB in the columns asked for\n\n  row group   rows  may pass  statistics\n        0–1  3,000         0       3,000\n\n  condition     row group  verdict   none\n  order_id = 1        0–1  none     3,000\n\n2 of 3 files  not opened: by their folders, no row passes\n"},
		{[]string{"explain", "--format", "table", "-w", "year = 2026", all}, "3 of 3 files  not opened: by their folders, no row passes\n"},
		{[]string{"explain", "-w", "year = 2026", all}, `{"kind":"file","file":"t/year=2023/a.parquet","where":"year = 2026","rows":0,"may_pass":0,"row_groups":0,"bytes":0,"may_read":0}` + "\n" +
			`{"kind":"file","file":"t/year=2024/b.parquet","where":"year = 2026","rows":0,"may_pass":0,"row_groups":0,"bytes":0,"may_read":0}` + "\n" +
			`{"kind":"file","file":"t/year=2025/c.parquet","where":"year = 2026","rows":0,"may_pass":0,"row_groups":0,"bytes":0,"may_read":0}` + "\n"},
		{[]string{"explain", "--format", "table", "-c", "year", "t/year=2025/c.parquet"}, "t/year=2025/c.parquet  3,000 of 3,000 rows may pass\n  reads  2 of 2 row groups, at most 0 B of 0 B in the columns asked for\n\n  row group   rows  may pass  which\n        0–1  3,000     3,000  all\n"},
		{[]string{"count", "t/year=2025/c.parquet"}, `{"file":"t/year=2025/c.parquet","rows":3000}` + "\n"},
	} {
		stdout, stderr, code := runScan(t, t.Context(), tc.args...)
		if stdout != tc.want || code != 0 {
			t.Errorf("%q: exit code %d, %s\n%s\nwant\n%s", tc.args, code, stderr, stdout, tc.want)
		}
	}
	// One that is asked is opened, and bad; the others come all the same.
	stdout, stderr, code := runScan(t, t.Context(), "count", all)
	if code != exitBadFile || stderr == "" || stdout != `{"file":"t/year=2024/b.parquet","rows":3000}`+"\n"+`{"file":"t/year=2025/c.parquet","rows":3000}`+"\n"+`{"files":2,"rows":6000}`+"\n" {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
	if _, stderr, code := runScan(t, t.Context(), "head", "--order-by", "year DESC", all); code != exitUsage || !strings.HasPrefix(stderr, "scan: --order-by year: the names of folders give this column") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if _, stderr, code := runScan(t, t.Context(), "cat", "-w", "year = 'x'", all); code != exitUsage || stderr != "scan: t/year=2023/a.parquet: --where: year cannot be compared with the string \"x\": it is INT64\nyear = 'x'\n       ^\nTry: scan help where\n" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
