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

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serving runs scan serve on a folder, and returns the address.
func serving(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "scan")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/scan").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
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
	progress = `document.getElementById('progress').innerText`
)

// TestServe works by keyboard alone: a file is found and opened, a condition completed and
// run, an error shown under its place, the map looked at.
func TestServe(t *testing.T) {
	ctx := tab(t, false)
	do(t, ctx, chromedp.Navigate(serving(t, "../../testdata")))
	waitFor(t, ctx, `document.querySelectorAll('#files li').length > 100 && document.activeElement.id === 'find'`)
	if facts := text(t, ctx, `document.getElementById('facts').innerText`); !strings.Contains(facts, " files. Type a part of a name") {
		t.Errorf("before a file is chosen: %q", facts)
	}
	do(t, ctx, chromedp.KeyEvent("lineitems"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.startsWith('20,000 rows in') && document.activeElement.id === 'condition'`)
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
	waitFor(t, ctx, progress+`.startsWith('1,199 rows in')`)
	if row := text(t, ctx, `document.querySelectorAll('#row-table tr')[1].innerText`); !strings.Contains(row, "1996-05-") {
		t.Errorf("the first row: %s", row)
	}
	do(t, ctx, chromedp.Click("#tab-picture", chromedp.ByQuery))
	if sums := text(t, ctx, `document.getElementById('sums').innerText`); !strings.Contains(sums, "508,210") || !strings.Contains(sums, "ruled out by statistics") {
		t.Errorf("sums: %s", sums)
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
	waitFor(t, ctx, progress+`.startsWith('60,000 rows in') && document.activeElement.id === 'condition'`)
	do(t, ctx, chromedp.KeyEvent("text ~ '(b|a) (a|b).*(bb|aa)$'"), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.startsWith('running:')`)
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	waitFor(t, ctx, progress+`.startsWith('cancelled')`)
	do(t, ctx, chromedp.SetValue("#condition", "n < 10", chromedp.ByQuery), chromedp.Focus("#condition", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	waitFor(t, ctx, progress+`.startsWith('10 rows in')`)
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
