package scanner

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

var errHost = errors.New("the host is going down")

// ending ends a context when it is read for the n-th time, and then reports that in its own way.
type ending struct {
	fetch.Source
	n      atomic.Int32
	end    func()
	report func(context.Context) error // nil: it does not
}

func (s *ending) ReadRanges(ctx context.Context, r []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if s.n.Add(-1) == 0 {
		s.end()
		<-ctx.Done()
		if s.report != nil {
			return nil, s.report(ctx)
		}
	}
	return s.Source.ReadRanges(ctx, r, alloc)
}

// far is a source that scans read ahead of.
type far struct{ fetch.Source }

func (far) Traits() fetch.Traits { return fetch.Traits{Latency: time.Second, Bandwidth: 1 << 19} }

// contexts are some with a cause, and how to end them.
var contexts = map[string]func(context.Context) (context.Context, func(), error){
	"cancelled": func(ctx context.Context) (context.Context, func(), error) {
		ctx, cancel := context.WithCancelCause(ctx)
		return ctx, func() { cancel(errHost) }, context.Canceled
	},
	"timed out": func(ctx context.Context) (context.Context, func(), error) {
		ctx, cancel := context.WithTimeoutCause(ctx, 20*time.Millisecond, errHost)
		context.AfterFunc(ctx, cancel)
		return ctx, func() {}, context.DeadlineExceeded
	},
	"without a cause": func(ctx context.Context) (context.Context, func(), error) {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, cancel, context.Canceled
	},
}

// endedBy checks an error of a scan that a context ended.
func endedBy(t *testing.T, name string, ctx context.Context, err, kind error) {
	t.Helper()
	var e *Error
	if !errors.Is(err, kind) || !errors.Is(err, context.Cause(ctx)) || !errors.As(err, &e) || e.File != "f.parquet" {
		t.Errorf("%s: %v, want an *Error that matches %v and %v", name, err, kind, context.Cause(ctx))
	}
	for _, other := range []error{context.Canceled, context.DeadlineExceeded, errHost} {
		if other != kind && other != context.Cause(ctx) && errors.Is(err, other) {
			t.Errorf("%s: %v matches %v too", name, err, other)
		}
	}
}

// lineitemWays are ways to look at a file with the columns of lineitems.parquet, each until its error.
var lineitemWays = map[string]func(context.Context, *File, Options) error{
	"Scan": ways["Scan"], "Scan with threads": ways["Scan with threads"], "Partitions": ways["Partitions"], "Count": ways["Count"],
	"Count with threads": func(ctx context.Context, f *File, o Options) error {
		o.Threads = 3
		return ways["Count"](ctx, f, o)
	},
	"Min": func(ctx context.Context, f *File, o Options) error {
		_, err := f.Min(ctx, "quantity", o)
		return err
	},
	"Max": func(ctx context.Context, f *File, o Options) error {
		_, err := f.Max(ctx, "quantity", o)
		return err
	},
	"Top": func(ctx context.Context, f *File, o Options) (err error) {
		o.Limit = 3
		for _, err = range f.Top(ctx, Order{By: "quantity"}, o) {
		}
		return err
	},
	"Passing": func(ctx context.Context, f *File, o Options) error {
		_, err := f.Passing(ctx, o)
		return err
	},
	"Rows": func(ctx context.Context, f *File, o Options) (err error) {
		for _, err = range Rows[struct{}](ctx, f, o) {
		}
		return err
	},
}

// Whatever a scan is at when its context ends, and however a source reports that,
// the error matches both the cause and the context's own error.
func TestContextCauses(t *testing.T) {
	reports := map[string]func(context.Context) error{
		"the bytes":   nil,
		"Err":         context.Context.Err,
		"the cause":   context.Cause,
		"Err, within": func(ctx context.Context) error { return &os.PathError{Op: "GET", Path: "x", Err: ctx.Err()} },
		"words":       func(context.Context) error { return errors.New("request was given up") },
	}
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for scan, do := range lineitemWays {
		for how, with := range contexts {
			for what, report := range reports {
				for _, from := range []string{"near", "far"} {
					src := &ending{Source: fetch.FromBytes(b), report: report}
					var source fetch.Source = src
					if from == "far" {
						source = far{src}
					}
					ctx, end, kind := with(t.Context())
					src.end = end
					f, err := OpenSource(t.Context(), "f.parquet", source)
					if err != nil {
						t.Fatal(err)
					}
					src.n.Store(1)
					err = do(ctx, f, Options{Filter: scannertest.Parsed(t, "quantity < 20")})
					endedBy(t, strings.Join([]string{scan, how, what, from}, ", "), ctx, err, kind)
				}
			}
		}
	}
}

// Files on disk, bytes in memory, opening and host's openers report it alike.
func TestContextCausesElsewhere(t *testing.T) {
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("f.parquet", b, 0o666); err != nil {
		t.Fatal(err)
	}
	local, err := Open(t.Context(), "f.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	memory, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(b))
	if err != nil {
		t.Fatal(err)
	}
	for how, with := range contexts {
		for name, f := range map[string]*File{"local": local, "memory": memory} {
			for scan, do := range lineitemWays {
				ctx, end, kind := with(t.Context())
				end()
				<-ctx.Done()
				endedBy(t, name+", "+scan+", "+how, ctx, do(ctx, f, Options{Filter: scannertest.Parsed(t, "quantity < 20")}), kind)
			}
			ctx, end, kind := with(t.Context())
			var last error
			for batch, err := range f.Scan(ctx, Options{BatchRows: 10}) { // it ends in the middle
				if last = err; batch != nil {
					batch.Release()
					end()
					<-ctx.Done()
				}
			}
			endedBy(t, name+", "+how+" in the middle", ctx, last, kind)
			var e *Error
			if errors.As(last, &e) && e.RowGroup != 0 {
				t.Errorf("%s: row group %d, want 0", how, e.RowGroup)
			}
		}
		ctx, end, kind := with(t.Context())
		end()
		<-ctx.Done()
		_, err := Open(ctx, "f.parquet")
		endedBy(t, "Open, "+how, ctx, err, kind)
		_, err = OpenSource(ctx, "f.parquet", fetch.FromReaderAt(bytes.NewReader(b), int64(len(b))))
		endedBy(t, "OpenSource, "+how, ctx, err, kind)
	}
}
