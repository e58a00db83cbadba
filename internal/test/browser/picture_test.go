package browser

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/winnow-scan/winnow/internal/cli/picture"
)

// drawn returns the address of the picture of a scan.
func drawn(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture.html")
	cmd := exec.Command("go", append([]string{"run", "./cmd/scan", "explain", "--picture", path}, args...)...)
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return "file://" + path
}

// written returns the address of a picture that is written to a file.
func written(t *testing.T, p *picture.Picture) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.HTML(f); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// pixel is the colour of the canvas at a place, as r,g,b.
func pixel(x, y int) string {
	return fmt.Sprintf(`Array.from((c => c.getContext('2d').getImageData(%d * devicePixelRatio, %d * devicePixelRatio, 1, 1).data)(document.getElementById('cells'))).slice(0, 3)`, x, y)
}

const ready = `html[data-ready=yes]`

func TestPicture(t *testing.T) {
	for _, dark := range []bool{false, true} {
		t.Run(map[bool]string{false: "light", true: "dark"}[dark], func(t *testing.T) {
			ctx := tab(t, dark)
			do(t, ctx, chromedp.Navigate(drawn(t, "-c", "order_key,comment", "--where", "ship_date >= '1996-05-01' AND extended_price > 40000", "testdata/lineitems.parquet")),
				chromedp.WaitReady(ready, chromedp.ByQuery))
			if back := text(t, ctx, `getComputedStyle(document.body).backgroundColor`); (back == "rgb(255, 255, 255)") == dark {
				t.Errorf("dark is %v, the background %s", dark, back)
			}
			if sums := text(t, ctx, `document.getElementById('sums').innerText`); !strings.Contains(sums, "508,210") || !strings.Contains(sums, "347") {
				t.Errorf("sums: %s", sums)
			}
			// A page of order_key, of row group 0, was ruled out by statistics. Which one is there
			// depends on the fonts, which say how wide names are.
			var x, y float64
			do(t, ctx, chromedp.Evaluate(`document.getElementById('cells').getBoundingClientRect().x`, &x), chromedp.Evaluate(`document.getElementById('cells').getBoundingClientRect().y`, &y))
			const inX, inY = 220, 22 + 2*18 + 10 + 24
			if got := text(t, ctx, pixel(inX, inY)); got != "0,114,178" {
				t.Errorf("colour %s", got)
			}
			do(t, ctx, chromedp.MouseEvent("mouseMoved", x+inX, y+inY))
			const tip = `document.getElementById('tip').innerText`
			page, err := strconv.Atoi(text(t, ctx, `/^order_key .*row group 0, page (\d+): unread: ruled out by statistics/.exec(`+tip+`)?.[1]`))
			if err != nil {
				t.Errorf("under the mouse: %s", text(t, ctx, tip))
			}
			// What metadata say of the condition there, and of the column by its name.
			do(t, ctx, chromedp.MouseEvent("mouseMoved", x+inX, y+22+9))
			if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "ship_date >= 1996-05-01\nrow ") || !strings.Contains(tip, "no row passes, by metadata") {
				t.Errorf("of a condition: %s", tip)
			}
			do(t, ctx, chromedp.MouseEvent("mouseMoved", x+20, y+inY))
			if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "order_key INT64") || !strings.Contains(tip, "used for the result") {
				t.Errorf("of a column: %s", tip)
			}
			// By the keyboard to the next page, the column below that is used, and into a row group.
			do(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
			if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.Contains(tip, ", page "+strconv.Itoa(page+1)+":") {
				t.Errorf("one to the right: %s", tip)
			}
			do(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
			if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "line_number") || !strings.Contains(tip, "column not used") {
				t.Errorf("one down: %s", tip)
			}
			do(t, ctx, chromedp.KeyEvent(kb.Enter))
			if range_ := text(t, ctx, `document.getElementById('range').innerText`); range_ != "row group 0" {
				t.Errorf("zoomed to %s", range_)
			}
			do(t, ctx, chromedp.KeyEvent(kb.Escape))
			if range_ := text(t, ctx, `document.getElementById('range').innerText`); range_ != "20,000 rows" {
				t.Errorf("zoomed out to %s", range_)
			}
			// Keys are the map's also when the focus is on a button, whose Enter is its own.
			do(t, ctx, chromedp.Focus("#legend button", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowUp))
			if tip := text(t, ctx, tip); !strings.HasPrefix(tip, "order_key") {
				t.Errorf("one up: %s", tip)
			}
			do(t, ctx, chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
			if range_ := text(t, ctx, `document.getElementById('range').innerText`); range_ != "20,000 rows" {
				t.Errorf("Enter on a button zoomed to %s", range_)
			}
			if legend := text(t, ctx, `document.getElementById('legend').innerText`); !strings.Contains(legend, "59 pages, 3 dictionaries, 145 KiB") {
				t.Errorf("legend: %s", legend)
			}
			// Only decoded pages: the one of before is faint.
			do(t, ctx, chromedp.Click(`//button[span="decoded"]`, chromedp.BySearch))
			if got := text(t, ctx, pixel(inX, inY)); got == "0,114,178" {
				t.Error("a class that is not chosen is not faint")
			}
		})
	}
}

// 100,000 pages are drawn within two seconds, as the slowest of three looks.
func TestManyPages(t *testing.T) {
	const columns, pages, rows = 40, 2500, 1000
	p := &picture.Picture{File: "many.parquet", Rows: pages * rows, Size: 1}
	for g := range 50 {
		p.Groups = append(p.Groups, picture.Group{Row: int64(g) * 50 * rows, Rows: 50 * rows})
	}
	for c := range columns {
		column := picture.Column{Name: "column " + strconv.Itoa(c), Type: "INT64", Use: "both"}
		for i := range pages {
			column.Pages = append(column.Pages, picture.Page{
				Fate: picture.Fate(1 + (i/7+c)%(picture.Fates-1)), Group: i / 50, Number: i % 50, Row: int64(i) * rows, Rows: rows,
				Offset: int64(c*pages+i) * 5000, Bytes: 3000 + int64(i%2000), Min: strconv.Itoa(i * 1000), Max: strconv.Itoa(i*1000 + 999), Nulls: int64(i % 3),
			})
		}
		p.Columns = append(p.Columns, column)
	}
	address := written(t, p)
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate("about:blank"))
	least := math.Inf(1) // other work on the machine only makes it longer
	for range 3 {
		start := time.Now()
		do(t, ctx, chromedp.Navigate(address), chromedp.WaitReady(ready, chromedp.ByQuery))
		took := time.Since(start).Seconds()
		least = min(least, took)
		t.Logf("%.2f s", took)
		start = time.Now()
		do(t, ctx, chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
		t.Logf("two keys %.2f s", time.Since(start).Seconds())
	}
	if least > 2 {
		t.Errorf("%.2f s for 100,000 pages", least)
	}
	if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "column 0") {
		t.Errorf("no page under the cursor: %s", tip)
	}
}

// Columns beyond the height of a window: the map is drawn to its end, what is said of a page
// stands in the window, keys scroll to their column, and a button shows the unused ones.
func TestManyColumns(t *testing.T) {
	const columns = 20_000
	p := &picture.Picture{File: "wide.parquet", Rows: 10, Size: 1, Groups: []picture.Group{{Rows: 10}}}
	for c := range columns {
		p.Columns = append(p.Columns, picture.Column{Name: "column " + strconv.Itoa(c), Type: "INT64", Use: "both",
			Pages: []picture.Page{{Fate: picture.Decoded, Rows: 10, Bytes: 50}, {Fate: picture.Decoded, Kind: picture.Dictionary, Rows: 10, Bytes: 5}}})
	}
	p.Columns[columns-1].Use = ""
	address := written(t, p)
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(address), chromedp.WaitReady(ready, chromedp.ByQuery))
	const inWindow = `(r => r.top >= 0 && r.bottom <= innerHeight)(document.getElementById('tip').getBoundingClientRect())`
	if in := text(t, ctx, inWindow); in != "true" {
		t.Error("what is said of a page is out of sight")
	}
	if got := text(t, ctx, pixel(600, 22+10+15_990)); got != "213,94,0" {
		t.Errorf("near the end of the map: %s", got)
	}
	if got := text(t, ctx, `document.getElementById('range').innerText`); got != "10 rows; the first 16,000 columns" {
		t.Errorf("%q", got)
	}
	p.Columns = p.Columns[:500]
	for i := range p.Columns[1:] {
		p.Columns[1+i].Use = ""
	}
	do(t, ctx, chromedp.Navigate(written(t, p)), chromedp.WaitReady(ready, chromedp.ByQuery), chromedp.Click("#every", chromedp.ByQuery))
	if got := text(t, ctx, `document.getElementById('every').innerText + ', ' + document.getElementById('range').innerText`); got != "Only the 1 column of the query (a), 10 rows" {
		t.Errorf("all columns: %q", got)
	}
	do(t, ctx, chromedp.KeyEvent(strings.Repeat(kb.ArrowDown, 60)))
	if got := text(t, ctx, `scrollY > 300 && `+inWindow); got != "true" {
		t.Error("keys leave the window")
	}
	if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "column 59") {
		t.Errorf("60 columns down: %s", tip)
	}
	do(t, ctx, chromedp.MouseEvent("mouseMoved", 600, 400))
	do(t, ctx, chromedp.Evaluate(`document.getElementById('map').dispatchEvent(new MouseEvent('mousemove', {clientX: 600, clientY: document.getElementById('cells').getBoundingClientRect().top + 22 + 10 + 30}))`, nil))
	if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.Contains(tip, ", dictionary: decoded") {
		t.Errorf("on a dictionary: %s", tip)
	}
}

// Names and values that look like markup stay text.
func TestHostileNames(t *testing.T) {
	const bad = "</script><img src=x onerror=\"document.title='bad'\">"
	p := &picture.Picture{File: bad, Where: bad, Rows: 10, Size: 60, Notes: []string{bad}, Groups: []picture.Group{{Rows: 10}},
		Columns: []picture.Column{{Name: bad, Type: bad, Use: "both", Pages: []picture.Page{{Rows: 10, Bytes: 50, Fate: picture.Decoded, Min: bad, Max: bad}}}}}
	address := written(t, p)
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(address), chromedp.WaitReady(ready, chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	if n := text(t, ctx, `document.images.length + ' ' + document.title`); n != "0 Pages of "+bad {
		t.Errorf("images and title: %s", n)
	}
	if tip := text(t, ctx, `document.getElementById('tip').innerText`); strings.Count(tip, "<img") != 4 {
		t.Errorf("texts are missing: %s", tip)
	}
}

// Bytes of no page say so.
func TestNoPages(t *testing.T) {
	p := &picture.Picture{Rows: 10, Size: 60, Groups: []picture.Group{{Rows: 10}}, Columns: []picture.Column{{Name: "a", Use: "both", Pages: []picture.Page{
		{Kind: picture.Between, Fate: picture.Beside, Rows: 10, Bytes: 50}, {Kind: picture.Dictionary, Fate: picture.Codes, Rows: 10, Bytes: 30_000}}}}}
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(written(t, p)), chromedp.WaitReady(ready, chromedp.ByQuery))
	all := text(t, ctx, `document.getElementById('legend').innerText + document.getElementById('sums').innerText`)
	for _, want := range []string{"unread: not needed\n50 B outside pages", "1 dictionary, 29.3 KiB", "unread: not needed (outside pages)\t\t\t50"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
}
