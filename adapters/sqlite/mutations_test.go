package sqlitescan

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
)

// TestMutations asks damaged files, through one database. Each answers, or gives an error of SQLite that
// names the file.
func TestMutations(t *testing.T) {
	var small [][]byte
	var names []string
	for _, pattern := range []string{"shapes/*.parquet", "writers/*.parquet"} {
		found, err := filepath.Glob(samples + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// SQLite has no SELECT * where all columns are hidden.
			if len(data) <= 32<<10 && filepath.Base(name) != "schema_no_columns.parquet" {
				small, names = append(small, data), append(names, name)
			}
		}
	}
	db := open(t, Options{Scan: scanner.Options{MaxPageBytes: 1 << 20}})
	random := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "damaged.parquet")
	var refused, broken, answered int
	for n := range dtest.Rounds(t, 2000) {
		i := random.IntN(len(small))
		if err := os.WriteFile(path, dtest.Damaged(random, small[i]), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := db.Exec(Table{"p", path}.SQL(true))
		if err != nil {
			refused++
		} else {
			err = askAll(db, random)
			if _, dropped := db.Exec("DROP TABLE p"); dropped != nil {
				t.Fatalf("%s, round %d: %v", names[i], n, dropped)
			}
			if err != nil {
				broken++
			} else {
				answered++
			}
		}
		if theirs := (*sqlite.Error)(nil); err != nil && (!errors.As(err, &theirs) || !strings.Contains(err.Error(), "damaged.parquet")) {
			t.Errorf("%s, round %d: %v", names[i], n, err)
		}
	}
	t.Logf("of %d files, %d mutations were refused, %d ended in an error, %d gave answers", len(small), refused, broken, answered)
	if all := refused + broken + answered; min(refused, broken, answered) < all/20 {
		t.Error("want some of each")
	}
}

// askAll asks all rows of p, some of them by a condition on a column, and a join.
func askAll(db *sql.DB, random *rand.Rand) error {
	rows, err := db.Query("SELECT * FROM p LIMIT 0")
	if err != nil {
		return err
	}
	columns, err := rows.Columns()
	rows.Close()
	if err != nil {
		return err
	}
	texts := []string{"SELECT * FROM p", "SELECT count(*) FROM p", "SELECT a.rowid FROM p AS a, p AS b WHERE a.rowid = b.rowid"}
	if len(columns) > 0 {
		name := quoteName(columns[random.IntN(len(columns))])
		for _, condition := range []string{" IS NULL", " > 3", " LIKE 'a%'", " = (SELECT max(" + name + ") FROM p)"} {
			texts = append(texts, "SELECT * FROM p WHERE "+name+condition)
		}
		texts = append(texts, "SELECT "+name+" FROM p ORDER BY 1 LIMIT 5")
	}
	for _, text := range texts {
		if _, err := tryQuery(db, text); err != nil && !strings.Contains(err.Error(), "is compared with 3") {
			return err
		}
	}
	return nil
}
