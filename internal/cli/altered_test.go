package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/alter"
)

var onlyAltered = flag.Int("altered", -1, "run this case of TestAlteredFiles alone")

// Where verify finds nothing wrong with a file that has one field altered, commands answer as
// they do of the file as it was. The log has the fields that verify passes without a word.
func TestAlteredFiles(t *testing.T) {
	names := append(dtest.SampleFiles(t, "../../testdata/shapes"), dtest.SampleFiles(t, "../../testdata/writers")...)
	rounds := dtest.Rounds(t, 2)
	tally := alteredTally{silent: map[string][]string{}}
	b, err := verifiable().Write()
	if err != nil {
		t.Fatal(err)
	}
	tally.ask(t, "verifiable", b, 30*rounds)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) <= 64<<10 {
			tally.ask(t, filepath.Base(name), b, rounds)
		}
	}
	t.Logf("%d altered files: verify found something wrong with %d; of the answers, %d are the same and %d were refused",
		tally.cases, tally.found, tally.same, tally.refused)
	if *onlyAltered < 0 && (tally.found < tally.cases/4 || tally.same < tally.cases) {
		t.Error("alterations hardly matter, or nothing was asked")
	}
	for name, examples := range tally.silent {
		t.Logf("silent: %4d %s: %s", len(examples), name, strings.Join(examples[:min(3, len(examples))], "; "))
	}
}

type alteredTally struct {
	number, cases, found, same, refused int
	silent                              map[string][]string // by field
}

// ask alters the file so many times, and asks a part of all questions each time.
func (a *alteredTally) ask(t *testing.T, name string, file []byte, times int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.parquet")
	write := func(b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file)
	if _, _, code := runScan(t, t.Context(), "verify", path); code != 0 {
		return
	}
	questions := questionsOf(t, path)
	answers := make([]string, len(questions))
	for i, q := range questions {
		answers[i], _, _ = runScan(t, t.Context(), append(q, path)...)
	}
	for range times {
		a.number++
		if *onlyAltered >= 0 && a.number != *onlyAltered {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(a.number), 42))
		lie, how := alter.Field(r, file)
		if lie == nil || changesValues.MatchString(how) {
			continue
		}
		a.cases++
		write(lie)
		found, _, code := runScan(t, t.Context(), "verify", path)
		if code != 0 {
			a.found++
		} else if found == "" || !strings.Contains(found, `"kind":"flaw"`) {
			field, _, _ := strings.Cut(how, " is ")
			field = regexp.MustCompile(`[0-9]+`).ReplaceAllString(field, "N")
			a.silent[field] = append(a.silent[field], fmt.Sprintf("case %d, %s, %s", a.number, name, how))
		}
		for range min(8, len(questions)) {
			i := r.IntN(len(questions))
			answer, _, refused := runScan(t, t.Context(), append(questions[i], path)...)
			switch {
			case refused != 0:
				a.refused++
			case answer == answers[i]:
				a.same++
			case code == 0:
				t.Errorf("case %d: %s, %s: verify finds nothing wrong, but %q answers %.300q and not %.300q", a.number, name, how, questions[i], answer, answers[i])
			}
		}
	}
}

// changesValues are the fields that say what bytes mean: with another, the file has other values or names.
var changesValues = regexp.MustCompile(`footer: Schema|page header.*Encoding`)

// questionsOf returns command lines, but for the file's name, whose answers depend on nothing
// but the values of the file.
func questionsOf(t *testing.T, path string) (all [][]string) {
	rows, _, code := runScan(t, t.Context(), "cat", "--format", "jsonl", "--limit", "300", path)
	if code != 0 {
		return nil
	}
	const jsonl = "--format=jsonl"
	all = [][]string{{"count"}, {"cat", jsonl}, {"head", "-n", "3", jsonl}, {"tail", "-n", "7", jsonl}}
	lines := strings.Split(strings.TrimSpace(rows), "\n")
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		var row map[string]any
		if json.Unmarshal([]byte(lines[r.IntN(len(lines))]), &row) != nil || len(row) == 0 {
			return all
		}
		var names []string
		for name := range row {
			names = append(names, name)
		}
		slices.Sort(names)
		name, other := names[r.IntN(len(names))], names[r.IntN(len(names))]
		quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		conditions := []string{" IS NULL", " IS NOT NULL"}
		switch x := row[name].(type) {
		case float64, bool:
			conditions = append(conditions, fmt.Sprint(" = ", x), fmt.Sprint(" <> ", x), fmt.Sprint(" >= ", x), fmt.Sprint(" < ", x))
		case string:
			x = "'" + strings.ReplaceAll(x, "'", "''") + "'"
			conditions = append(conditions, " = "+x, " <> "+x, " >= "+x, " < "+x)
		}
		for _, c := range conditions {
			all = append(all, []string{"count", "--where", quoted + c}, []string{"cat", jsonl, "-c", other, "--where", quoted + c})
		}
		all = append(all, []string{"min", name}, []string{"max", name}, []string{"cat", jsonl, "--order-by", name, "--limit", "5"})
	}
	return all
}
