package browser

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// tab opens a tab of a browser of its own, which ends with the test. Errors of the page's
// program fail the test.
func tab(t *testing.T, dark bool) context.Context {
	t.Helper()
	program := os.Getenv("WINNOW_BROWSER")
	if program == "" {
		t.Skip("WINNOW_BROWSER names no browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1300, 1000))
	if dark {
		options = append(options, chromedp.Flag("blink-settings", "preferredColorScheme=0"))
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(cancel)
	faults(t, ctx)
	return ctx
}

// do runs actions in the tab.
func do(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// text returns what an expression of the page's program is, as text.
func text(t *testing.T, ctx context.Context, expression string) (s string) {
	t.Helper()
	do(t, ctx, chromedp.Evaluate("String("+expression+")", &s))
	return s
}
