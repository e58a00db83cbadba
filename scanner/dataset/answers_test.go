package dataset

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// What partitions of several files hand out together is what a scan does, and
// files that are excluded stay closed.
func TestPartitionsOfFiles(t *testing.T) {
	names := []string{"y=1/a", "y=1/b", "y=2/c", "y=3/d", "y=3/e"}
	for _, tc := range []struct {
		where         string
		offset, limit int64
	}{{"", 0, 0}, {"y <> 2", 0, 0}, {"y <> 1 and id > 33", 0, 0}, {"", 7, 22}, {"", 13, 100}, {"y = 7", 0, 0}} {
		for _, n := range []int{1, 2, 3} {
			fs, shelf := filesOf(t, names...)
			o := scanner.Options{Offset: tc.offset, Limit: tc.limit, BatchRows: 3}
			if tc.where != "" {
				o.Filter = scannertest.Parsed(t, tc.where)
			}
			var want, got []string
			for b, err := range fs.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, scannertest.Lines(t, b)...)
			}
			opened := shelf.take()
			var mu sync.Mutex
			var hosts sync.WaitGroup
			for _, part := range fs.Partitions(t.Context(), o, n) {
				hosts.Go(func() {
					for b, err := range part {
						mu.Lock()
						if err != nil {
							t.Error(err)
						} else {
							got = append(got, scannertest.Lines(t, b)...)
						}
						mu.Unlock()
					}
				})
			}
			hosts.Wait()
			slices.Sort(want)
			slices.Sort(got)
			if err := scannertest.Same(got, want); err != nil {
				t.Errorf("%+v, %d parts: %v", tc, n, err)
			}
			if again := shelf.take(); again != opened || shelf.open != 0 {
				t.Errorf("%+v, %d parts: opened %q, a scan %q; %d left open", tc, n, again, opened, shelf.open)
			}
		}
	}
}

// Those who break off leave the rest to others. A file stays open for these, and no longer.
func TestPartitionsOfFilesBreak(t *testing.T) {
	fs, shelf := filesOf(t, "a", "b", "c")
	parts := fs.Partitions(t.Context(), scanner.Options{}, 3)
	rows := 0
	for b := range parts[0] {
		rows += b.Len
		break
	}
	if shelf.open != 1 || rows != 4 {
		t.Errorf("%d files open, %d rows", shelf.open, rows)
	}
	for _, part := range parts[1:] {
		for b, err := range part {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
	}
	if shelf.open != 0 || rows != 30 {
		t.Errorf("%d files open, %d rows", shelf.open, rows)
	}
	fs, _ = filesOf(t, "a", "b")
	delete(shelf.files, "b")
	fs = fs.With(shelf.opener)
	errs := 0
	for _, part := range fs.Partitions(t.Context(), scanner.Options{}, 2) {
		for _, err := range part {
			if err != nil {
				errs++
			}
		}
	}
	if errs != 1 || shelf.open != 0 {
		t.Errorf("%d errors, %d files open", errs, shelf.open)
	}
}

// Least and greatest values of several files, of their columns and of their paths.
func TestExtremesOfFiles(t *testing.T) {
	for _, tc := range []struct {
		column, where string
		offset, limit int64
		least, most   string
		opened        int
	}{
		{"id", "", 0, 0, "0", "49", 5},
		{"id", "y >= 2", 0, 0, "20", "49", 3},
		{"id", "y = 3 and id < 41", 0, 0, "30", "40", 2},
		{"id", "y = 9", 0, 0, "NULL", "NULL", 0},
		{"id", "id > 100", 0, 0, "NULL", "NULL", 5},
		{"id", "", 8, 14, "8", "21", 3},
		{"s", "", 0, 0, "s0", "s9", 5},
		{"y", "", 0, 0, "1", "3", 5},
		{"y", "id between 15 and 25", 0, 0, "1", "2", 5},
	} {
		fs, shelf := filesOf(t, "y=1/a", "y=1/b", "y=2/c", "y=3/d", "y=3/e")
		o := scanner.Options{Offset: tc.offset, Limit: tc.limit}
		if tc.where != "" {
			o.Filter = scannertest.Parsed(t, tc.where)
		}
		for _, end := range []struct {
			of   string
			want string
		}{{"Min", tc.least}, {"Max", tc.most}} {
			ask := fs.Min
			if end.of == "Max" {
				ask = fs.Max
			}
			v, err := ask(t.Context(), tc.column, o)
			if err != nil {
				t.Errorf("%s of %s, %q: %v", end.of, tc.column, tc.where, err)
				continue
			}
			if got := v.String(); got != end.want {
				t.Errorf("%s of %s, %q: %s, want %s", end.of, tc.column, tc.where, got, end.want)
			}
			if n := len(strings.Fields(shelf.take())); n != tc.opened {
				t.Errorf("%s of %s, %q: %d files opened, want %d", end.of, tc.column, tc.where, n, tc.opened)
			}
		}
	}
	fs, _ := filesOf(t, "a")
	if _, err := fs.Min(t.Context(), "none", scanner.Options{}); err == nil {
		t.Error("no error about a column that there is not")
	}
}

// The first rows of an order of several files, with the columns of their paths.
func TestTopOfFiles(t *testing.T) {
	for _, tc := range []struct {
		order         scanner.Order
		where         string
		offset, limit int64
		want          string
	}{
		{scanner.Order{By: "id", Descending: true}, "", 0, 3, "49/3 48/3 47/3"},
		{scanner.Order{By: "id", Descending: true}, "y < 3", 2, 3, "27/2 26/2 25/2"},
		{scanner.Order{By: "id", Descending: false}, "id >= 8", 0, 4, "8/1 9/1 10/1 11/1"},
		{scanner.Order{By: "s", Descending: false}, "", 0, 6, "0/1 10/1 20/2 30/3 40/3 1/1"},
		{scanner.Order{By: "s", Descending: true}, "", 4, 2, "49/3 8/1"},
		{scanner.Order{By: "id", Descending: true}, "y = 9", 0, 3, ""},
	} {
		fs, shelf := filesOf(t, "y=1/a", "y=1/b", "y=2/c", "y=3/d", "y=3/e")
		o := scanner.Options{Select: []string{"id", "y"}, Offset: tc.offset, Limit: tc.limit, BatchRows: 2}
		if tc.where != "" {
			o.Filter = scannertest.Parsed(t, tc.where)
		}
		var got []string
		for b, err := range fs.Top(t.Context(), tc.order, o) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Len {
				got = append(got, fmt.Sprint(b.Columns[0].Int64s[i], "/", b.Columns[1].Int64s[i]))
			}
		}
		if text := strings.Join(got, " "); text != tc.want {
			t.Errorf("%v, %q: %s, want %s", tc.order, tc.where, text, tc.want)
		}
		if shelf.open != 0 {
			t.Errorf("%d files open", shelf.open)
		}
	}
	fs, _ := filesOf(t, "y=1/a", "y=2/b")
	for _, err := range fs.Top(t.Context(), scanner.Order{By: "y"}, scanner.Options{Limit: 1}) {
		if err == nil {
			t.Error("no error about an order by a column of paths")
		}
	}
}
