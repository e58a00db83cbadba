package browser

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// serving runs scan serve on a folder, and returns the address.
func serving(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "scan")
	if out, err := exec.Command("go", "build", "-C", "../../..", "-o", program, "./cmd/scan").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dtest.HeedSignals(t)
	cmd := exec.Command(program, "serve", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGINT)
		if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
			t.Errorf("scan serve ended with %v", cmd.ProcessState)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// waitFor waits until an expression of the page's program is true.
func waitFor(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	var now bool
	if err := chromedp.Run(ctx, chromedp.Poll(expression, &now, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		t.Fatalf("%s: %v; error %q, progress %q", expression, err, text(t, ctx, `document.getElementById('error').innerText`), text(t, ctx, `document.getElementById('progress').innerText`))
	}
}

const (
	shown    = `document.querySelectorAll('#row-table tr').length`
	progress = `(document.getElementById('progress')?.innerText ?? '')` // which is not there while the page loads
)

// TestServe works by keyboard alone: a file is found and opened, a condition completed and
// run, an error shown under its place, the map looked at.
func TestServe(t *testing.T) {
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(serving(t, "../../../testdata")))
	waitFor(t, ctx, `document.querySelectorAll('#files li').length > 100 && document.activeElement.id === 'find'`)
	if facts := text(t, ctx, `document.getElementById('facts').innerText`); !strings.Contains(facts, " files. Type a part of a name") {
		t.Errorf("before a file is chosen: %q", facts)
	}
	do(t, ctx, chromedp.KeyEvent("lineitems"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.endsWith(': rows 0–199 of 20,000') && document.activeElement.id === 'condition'`)
	if n := text(t, ctx, shown); n != "201" {
		t.Errorf("%s lines of rows", n)
	}
	// The last row stands in the window once it is scrolled to, and titles and query still do.
	if in := text(t, ctx, `(() => {
		const inWindow = e => (r => r.top >= 0 && r.bottom <= innerHeight)(e.getBoundingClientRect()), rows = document.querySelectorAll('#row-table tr');
		rows[200].scrollIntoView({block: 'end'});
		const all = [rows[200], rows[0].firstChild, document.getElementById('condition')].map(inWindow);
		rows[0].scrollIntoView();
		return all;
	})()`); in != "true,true,true" {
		t.Errorf("the last row, titles, query in the window: %s", in)
	}
	do(t, ctx, chromedp.KeyEvent("ship_d"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(">= '1996-05-01' AND extended_p"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("> 40000"))
	if got := text(t, ctx, `document.getElementById('condition').value`); got != "ship_date >= '1996-05-01' AND extended_price > 40000" {
		t.Fatalf("completed to %q", got)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.endsWith(': those that pass of rows 0–13,592 of 20,000')`)
	if row := text(t, ctx, `document.querySelectorAll('#row-table tr')[1].innerText`); !strings.Contains(row, "1996-05-") {
		t.Errorf("the first row: %s", row)
	}
	do(t, ctx, chromedp.Click("#tab-picture", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	if sums := text(t, ctx, `document.getElementById('sums').innerText`); !strings.Contains(sums, "508,210") || !strings.Contains(sums, "ruled out by statistics") || !strings.Contains(sums, "behind the limit") {
		t.Errorf("sums: %s", sums)
	}
	if tip := text(t, ctx, `document.getElementById('tip').innerText`); !strings.HasPrefix(tip, "order_key") {
		t.Errorf("the first key in the map: %s", tip)
	}
	do(t, ctx, chromedp.Click("#tab-plan", chromedp.ByQuery))
	if plan := text(t, ctx, `document.getElementById('plan-text').innerText`); !strings.Contains(plan, "8,000 of 20,000 rows may pass") {
		t.Errorf("plan: %s", plan)
	}
	do(t, ctx, chromedp.Focus("#condition", chromedp.ByQuery), chromedp.KeyEvent(" AND"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, `document.getElementById('error').innerText.includes('^')`)
	look(t, ctx, "serve.png")
}

// look keeps a picture of the tab where WINNOW_SCREENSHOTS names a folder.
func look(t *testing.T, ctx context.Context, name string) {
	dir := os.Getenv("WINNOW_SCREENSHOTS")
	if dir == "" {
		return
	}
	var png []byte
	do(t, ctx, chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A scan that takes long is cancelled by Esc, and the page goes on.
func TestServeCancels(t *testing.T) {
	dir := t.TempDir()
	if err := manyRows(filepath.Join(dir, "many.parquet")); err != nil {
		t.Fatal(err)
	}
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(serving(t, dir)))
	waitFor(t, ctx, progress+`.endsWith(': rows 0–199 of 60,000') && document.activeElement.id === 'condition'`)
	do(t, ctx, chromedp.KeyEvent("text ~ '(b|a) (a|b).*(bb|aa)$'"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.startsWith('running:')`)
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	waitFor(t, ctx, progress+`.startsWith('cancelled')`)
	do(t, ctx, chromedp.SetValue("#condition", "n < 10", chromedp.ByQuery), chromedp.Focus("#condition", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.startsWith('10 rows in')`)
}

// Pages of rows are addresses: links lead from one to the next, the browser goes back, and what
// the page shows beside the rows is there, too. Without its program, it shows the same rows.
func TestServePages(t *testing.T) {
	address := serving(t, "../../../testdata")
	const from = `?columns=order_key%2Cship_date&file=lineitems.parquet&from=13593&where=ship_date+%3E%3D+%271996-05-01%27+AND+extended_price+%3E+40000`
	const row = `document.querySelectorAll('#row-table tr')[1].innerText`
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(address+"?file=lineitems.parquet"))
	waitFor(t, ctx, progress+`.endsWith(': rows 0–199 of 20,000') && document.activeElement.id === 'condition'`)
	do(t, ctx, chromedp.SetValue("#columns", "order_key,ship_date", chromedp.ByQuery), chromedp.KeyEvent("ship_date >= '1996-05-01' AND extended_price > 40000"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.endsWith(': those that pass of rows 0–13,592 of 20,000') && document.querySelectorAll('#facts:not(:empty)').length === 1`)
	first := text(t, ctx, row)
	do(t, ctx, chromedp.Click("#next", chromedp.ByQuery), chromedp.WaitReady("#previous[href]", chromedp.ByQuery))
	waitFor(t, ctx, progress+`.includes(': those that pass of rows 13,593–') && document.title === 'scan lineitems.parquet'`)
	if got := text(t, ctx, `location.search`); got != from {
		t.Errorf("at %s", got)
	}
	second := text(t, ctx, row)
	if second == first || text(t, ctx, `document.getElementById('condition').value + document.getElementById('columns').value`) != "ship_date >= '1996-05-01' AND extended_price > 40000order_key,ship_date" {
		t.Errorf("the second page begins with %s, the first with %s", second, first)
	}
	do(t, ctx, chromedp.Click("#tab-picture", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	if tip := text(t, ctx, `document.getElementById('tip').innerText + document.getElementById('plan-text').textContent`); !strings.HasPrefix(tip, "order_key") || !strings.Contains(tip, "8,000 of 20,000 rows may pass") {
		t.Errorf("beside the rows: %s", tip)
	}
	// The page may be left only after the call that asks for it: else the call fails.
	do(t, ctx, chromedp.Evaluate(`setTimeout(() => history.back())`, nil), chromedp.WaitReady("#previous[hidden]", chromedp.ByQuery))
	waitFor(t, ctx, progress+`.includes(': those that pass of rows 0–13,592')`)
	if got := text(t, ctx, row); got != first {
		t.Errorf("back on %q, not %q", got, first)
	}
	do(t, ctx, emulation.SetScriptExecutionDisabled(true), chromedp.Navigate(address), chromedp.Click(`//a[text()="lineitems.parquet"]`, chromedp.BySearch),
		chromedp.WaitReady("#next", chromedp.ByQuery), chromedp.Click("#next", chromedp.ByQuery), chromedp.WaitReady("#previous[href]", chromedp.ByQuery),
		chromedp.SetValue("#condition", "order_key = 1", chromedp.ByQuery), chromedp.Submit("#condition", chromedp.ByQuery), chromedp.WaitReady("#next[hidden]", chromedp.ByQuery))
	var at string
	if do(t, ctx, chromedp.Location(&at)); at != address+"?file=lineitems.parquet&where=order_key+%3D+1&columns=" {
		t.Errorf("without the program, at %s", at)
	}
	look(t, ctx, "plain.png")
}

// A file whose name is markup, with values that are, stays text.
func TestServeHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names")
	}
	dir := t.TempDir()
	name := `<img onerror=document.title='bad' src=x>.parquet`
	if err := hostileRows(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	ctx := tab(t, true)
	do(t, ctx, chromedp.Navigate(serving(t, dir)))
	waitFor(t, ctx, progress+`.startsWith('3 rows in')`)
	for _, part := range []string{"picture", "plan", "schema", "rows"} {
		do(t, ctx, chromedp.Click("#tab-"+part, chromedp.ByQuery))
	}
	if n := text(t, ctx, `document.images.length + ' ' + document.title`); n != "0 scan "+name {
		t.Errorf("images and title: %s", n)
	}
	if cell := text(t, ctx, `document.querySelectorAll('#row-table tr')[1].innerText`); !strings.Contains(cell, "<script>") {
		t.Errorf("a value: %s", cell)
	}
	look(t, ctx, "hostile.png")
}
