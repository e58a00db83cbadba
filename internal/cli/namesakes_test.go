package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// namesakeFile returns a file of columns whose names differ in their last letter, and the same file
// with names in which that letter is the first one again: kA and kB become kk.
func namesakeFile(t *testing.T) (apart, same []byte) {
	t.Helper()
	write := func(footer func(*wire.FileMetaData)) []byte {
		text := gen.StringType()
		f := gen.File{
			Schema: []*gen.Node{
				gen.Optional("kA", gen.Int64), gen.Required("z", gen.Int32), gen.Optional("kB", gen.ByteArray).As(text), gen.Optional("kC", gen.Int64),
				gen.Optional("sA", gen.Group, gen.Required("fA", gen.Int32), gen.Optional("fB", gen.ByteArray).As(text), gen.Optional("fC", gen.Int32)),
				gen.Optional("sB", gen.Group, gen.Optional("fD", gen.Double)),
				gen.List("lA", gen.Optional("element", gen.Int64)),
				gen.List("lB", gen.Optional("element", gen.Group, gen.Required("gA", gen.Int32), gen.Optional("gB", gen.Int32))),
			},
			All:    gen.Column{PageRows: []int{40}, Bloom: 256, SizeStats: true, Shape: gen.Shape{Encoding: gen.Dictionary, PageStats: gen.MinMax | gen.NullCount}},
			Footer: footer,
		}
		for g := range 2 {
			var rows []any
			for i := range 150 {
				n := 1000*g + i
				r := gen.Record{"z": (n * 7919) % 499, "lA": []any{n, nil}, "lB": []any{gen.Record{"gA": n % 17, "gB": 100 + n%13}}}
				r["sA"] = gen.Record{"fA": n % 23, "fB": "f" + strings.Repeat("b", n%5), "fC": 1000 - n%29}
				if i%3 > 0 {
					r["kA"], r["sB"] = n/2, gen.Record{"fD": float64(n) / 8}
				}
				if i%4 > 0 {
					r["kB"], r["kC"] = "text "+strings.Repeat("x", n%7), 90_000-11*n
				}
				rows = append(rows, r)
			}
			f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows})
		}
		b, err := f.Write()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	exact := func(m *wire.FileMetaData) {
		yes := true
		for _, g := range m.RowGroups {
			for _, c := range g.Columns {
				c.MetaData.Statistics.IsMinValueExact, c.MetaData.Statistics.IsMaxValueExact = &yes, &yes
			}
		}
	}
	return write(exact), write(func(m *wire.FileMetaData) {
		exact(m)
		gen.Rename(likeNamesakes)(m)
	})
}

var apartName = regexp.MustCompile(`\b([kslfg])[A-D]\b`)

var stopwatch = regexp.MustCompile(`"[a-z]*_?seconds":[0-9.e-]+|[0-9.]+ ms`)

// likeNamesakes makes the names in a text those of the file with equal names.
func likeNamesakes(text string) string { return apartName.ReplaceAllString(text, "$1$1") }

// TestNamesakes: what each command prints of a file in which columns, and fields of structs, share
// names is what it prints of the same file with different names, but for the names. Where a user names
// one that several columns have, it is the first.
func TestNamesakes(t *testing.T) {
	apart, same := namesakeFile(t)
	t.Chdir(t.TempDir())
	for _, path := range []string{"a/", "s/", "a/y=1/", "s/y=1/"} {
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		b := apart
		if path[0] == 's' {
			b = same
		}
		if err := os.WriteFile(filepath.Join(path, "f.parquet"), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range strings.Split(`
cat F
cat --csv F
cat --format table F
cat --vertical -n 3 F
cat F F
cat --union F F
cat --union --csv F F
cat --union -c k*,z F F
cat -c k* F
cat -c *,-z F
cat -c -z,-k* F
cat -c s*,z F
cat -c kA F
cat -c z,kA,sA F
cat -c sA.fA,lA.item F
cat -c -k* F | cat -c -kk F
cat -c *,-s* F | cat -c *,-ss F
cat -c kA,kB F | cat -c kk,kk F
cat -c sA.fA,sA.fB F | cat -c ss.ff,ss.ff F
cat -c kA,k* F
cat --union -c kA,kB,z F F | cat --union -c kk,kk,z F F
cat --union -c kA,k* F F
cat --union -c -k* F F | cat --union -c -kk F F
describe -c kA,kB F
cat -c kA,kB,kC F
cat -c kA,* F
cat -w kA>1020 F
cat -w kA>1020 -c k* F
cat -w sA.fA=7 F
cat -w lA.item=3 F
cat --order-by z -n 50 F
cat --order-by kA -n 50 F
cat --order-by z -n 5 -w kA>20 F F
cat --order-by z -n 9 --union F F
cat --order-by z -n 9 -c k* F F
head --order-by z -n 3 F
cat --unnest lA -c kA F
cat --unnest lA -c k*,z F
tail -n 3 F
count F
count -w kA>1020 F
min kA F
max kA F
min z F
max sA.fA F
max kA F F
describe F
describe F F
describe -c k* F
describe --json F
describe -c -z F
describe -w z>20 F
schema F
schema --json F
size F
size --json F
size F F
size -c k* F
meta F
meta --json F
pages F
pages --json F
index F
index --json F
bloom F
bloom -c kA F
verify F
verify --json F
verify -c k* F
verify -c kA F
explain -w kA>1020 F
explain --json -w kA>1020 F
explain --json --analyze -w kA>1020 F
explain --json --analyze F
advise -w kA>1020 F
advise --json -w kA>1020 F
advise --json -w kA>1020 -c k* F
advise --json -c k*,z F
advise F
dump -c kA F
sample 5 --seed 3 F
sample 5 --seed 3 --csv F
`, "\n") {
		if line == "" {
			continue
		}
		for _, folder := range []string{"", "y=1/"} {
			run := func(args string) string {
				stdout, stderr, code := runScan(t, t.Context(), strings.Fields(args)...)
				return stopwatch.ReplaceAllString(stdout, "") + stderr + "exit code " + strconv.Itoa(code)
			}
			apart, same, differ := strings.Cut(line, " | ")
			if !differ {
				same = likeNamesakes(line)
			}
			want := likeNamesakes(run(strings.ReplaceAll(apart, "F", "a/"+folder+"f.parquet")))
			got := run(strings.ReplaceAll(same, "F", "s/"+folder+"f.parquet"))
			want = strings.ReplaceAll(want, "a/"+folder+"f.parquet", "s/"+folder+"f.parquet")
			if got != want {
				t.Errorf("%s%s:\n%s", folder, line, lineThatDiffers(got, want))
			}
		}
	}
}

func lineThatDiffers(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			if i >= len(w) {
				w = append(w, "(nothing)")
			}
			return "got  " + g[i] + "\nwant " + w[min(i, len(w)-1)]
		}
	}
	return "got fewer lines"
}
