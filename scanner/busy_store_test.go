package scanner_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/busy"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// busyStore returns a store that serves w requests at once.
func busyStore(w int, latency time.Duration, stated fetch.Traits) *scannertest.Store {
	return &scannertest.Store{Latency: latency, Bandwidth: 50e6, Busy: scannertest.Busy{Workers: w}, Stated: stated}
}

// bestFixed returns the best setting for the big file on a busyStore.
func bestFixed(w int, latency time.Duration) busy.Setting {
	return busy.BestFixed(w, latency, 50e6, int64(len(bigFile().Bytes)))
}

func skipLong(t *testing.T) {
	if testing.Short() {
		t.Skip("to write the file takes a minute with the race detector")
	}
}

// fullScan scans all of a file.
func fullScan(t *testing.T, f *scanner.File) time.Duration {
	start, rows := time.Now(), 0
	for b, err := range f.Scan(t.Context(), scanner.Options{}) {
		if err != nil {
			t.Error(err)
			break
		}
		rows += b.Len
		b.Release()
	}
	if rows != storeGroups*storeRows {
		t.Errorf("%d rows", rows)
	}
	return time.Since(start)
}

func openBig(t *testing.T, store *scannertest.Store) *scanner.File {
	f, err := scanner.OpenSource(t.Context(), "0.parquet", store.Object("0.parquet", bigFile().Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bestUnknown returns the least seconds of a scan of the big file on a store that serves 64 requests at once, by plans
// that do not know it. They have rounds of requests of one size, and know after each that the store serves as many at
// once, or how many. At first 24 MiB are in flight, later as much as Pace.Room allows. On a store that
// serves fewer they take at most 1.5 times as long as the best fixed setting, with at most twice its requests.
func bestUnknown(latency time.Duration) (best float64) {
	size, tail := float64(len(bigFile().Bytes)-128<<10), latency.Seconds()+128<<10/50e6
	wave := func(w, requests int, each float64) float64 {
		return float64((requests+w-1)/w) * (latency.Seconds() + each/50e6)
	}
	others := map[int]busy.Setting{}
	for _, w := range []int{1, 2, 4, 16} {
		others[w] = bestFixed(w, latency)
	}
	// within reports whether a plan that knows w is good enough, after so many seconds and requests.
	within := func(w, requests int, seconds, left float64) bool {
		best := others[w]
		for n := min(int(left), 1); requests+n <= 2*best.Requests; n++ {
			if each := left / float64(max(n, 1)); each <= 8<<20 && seconds+wave(w, n, each) <= 1.5*best.Took.Seconds() {
				return true
			}
		}
		return false
	}
	best = 1e9
	var plan func(rounds, requests, served int, seconds, left float64)
	plan = func(rounds, requests, served int, seconds, left float64) {
		room := max(24<<20, 10*float64(served)*max(latency.Seconds()*50e6/2, 256<<10))
		for k := 1; k <= 64; k++ {
			for each := left / float64(k); each >= 128<<10; each /= 1.25 {
				rest := left - each*float64(k)
				good := each <= 8<<20 && each*float64(k) <= room && seconds+wave(64, k, each) < best
				for w := range others {
					good = good && (w < served || w >= k && rest > 1 || within(w, requests+k, seconds+wave(w, k, each), rest))
				}
				if good && rest <= 1 {
					best = seconds + wave(64, k, each)
				} else if good && rounds > 1 {
					plan(rounds-1, requests+k, max(served, k), seconds+wave(64, k, each), rest)
				}
			}
		}
	}
	plan(2, 1, 1, tail, size) // a third round gains nothing
	return best
}

// A full scan of a store that serves few requests at once takes at most half as long again as the best fixed
// setting, with at most twice its requests. The first scan of a file has to find out how many that are: of
// 64 it knows too late, as any plan would.
func TestBusyStore(t *testing.T) {
	skipLong(t)
	var table []string
	for _, latency := range []time.Duration{20 * time.Millisecond, 80 * time.Millisecond} {
		unknown := bestUnknown(latency)
		for _, w := range []int{1, 2, 4, 16, 64} {
			best := bestFixed(w, latency)
			for _, stated := range []fetch.Traits{{Latency: 30 * time.Millisecond, Bandwidth: 100e6}, {}} {
				line := fmt.Sprintf("%4v %3d %8.1f %4d", latency, w, ms(best.Took), best.Requests)
				synctest.Test(t, func(t *testing.T) {
					store := busyStore(w, latency, stated)
					start := time.Now()
					f := openBig(t, store)
					opened := time.Since(start)
					for scan := range 2 {
						before := len(store.Requests()) - 1 // with the footer
						took := fullScan(t, f) + opened
						time.Sleep(time.Hour)
						requests := len(store.Requests()) - before
						slower, more := float64(took)/float64(best.Took), float64(requests)/float64(best.Requests)
						line += fmt.Sprintf(" | %8.1f %5.2f %4d %5.2f", ms(took), slower, requests, more)
						bar := 1.5
						if scan == 0 && w == 64 {
							bar = 1.35 * unknown / best.Took.Seconds()
						}
						if slower > bar || more > 2 {
							line += " too much"
						}
					}
				})
				table = append(table, line)
			}
		}
		table = append(table, fmt.Sprintf("%4v  64 %8.1f is the best of a first scan that keeps the bars for the others", latency, 1000*unknown))
	}
	all := strings.Join(table, "\n")
	t.Log("\nlatency, requests at once, best: ms, requests | first scan: ms, ÷ best, requests, ÷ best | second scan\n" + all)
	if strings.Contains(all, "too much") {
		t.Error("a scan took too long, or too many requests")
	}
}

// A store that becomes busy, or idle, is scanned about as fast as it can be after a few scans; one that refuses
// what is too much for it is not pressed.
func TestStoreThatChanges(t *testing.T) {
	skipLong(t)
	const latency = 20 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		store := busyStore(64, latency, fetch.Traits{})
		f := openBig(t, store)
		for _, w := range []int{64, 1, 16, 1, 4} {
			store.SetBusy(w, latency)
			best := bestFixed(w, latency)
			for range 4 {
				fullScan(t, f)
			}
			if took := fullScan(t, f); float64(took) > 1.6*float64(best.Took) {
				t.Errorf("%d at once: %v, the best is %v", w, took, best.Took)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		store := busyStore(64, latency, fetch.Traits{})
		store.Most, store.RetryAfter = 8, time.Second
		f := openBig(t, store)
		fullScan(t, f)
		before := store.Refused
		if took := fullScan(t, f); took > 4*time.Second || store.Refused-before > 12 {
			t.Errorf("%v, %d refusals, in the first scan %d", took, store.Refused-before, before)
		}
	})
}

// Point lookups beside a full scan of the same file take at most twice as long as they take alone, and wait for one
// of its requests; also where the store refuses what is too much for it.
func TestLookupsBesideAScan(t *testing.T) {
	skipLong(t)
	for _, latency := range []time.Duration{20 * time.Millisecond, 80 * time.Millisecond} {
		for _, w := range []int{1, 2, 4, 16, 64} {
			for _, retryAfter := range []time.Duration{0, 100 * time.Millisecond, time.Second} {
				synctest.Test(t, func(t *testing.T) {
					store := busyStore(w, latency, fetch.Traits{})
					if retryAfter > 0 {
						store.Most, store.RetryAfter = max(w, 2), retryAfter
					}
					f := openBig(t, store)
					fullScan(t, f)
					lookups(t, f)
					alone := lookups(t, f)
					var scan sync.WaitGroup
					scan.Go(func() { fullScan(t, f) })
					time.Sleep(latency / 2)
					beside := lookups(t, f)
					scan.Wait()
					service := latency + 8<<20*time.Second/50e6
					t.Logf("%v, %d at once, again after %v: %v alone, %v beside a scan", latency, w, retryAfter, alone, beside)
					if beside > 2*alone+service {
						t.Errorf("%v, %d at once, again after %v: lookups take %v alone, %v beside a scan", latency, w, retryAfter, alone, beside)
					}
				})
			}
		}
	}
}

// lookups looks up ten rows at the same time.
func lookups(t *testing.T, f *scanner.File) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for i := range 10 {
		where := scannertest.Parsed(t, fmt.Sprint("id = ", i*storeGroups*storeRows/10+5))
		all.Go(func() {
			n := 0
			for b, err := range f.Scan(t.Context(), scanner.Options{Filter: where}) {
				if err != nil {
					t.Error(err)
					return
				}
				n += b.Len
				b.Release()
			}
			if n != 1 {
				t.Errorf("%d rows", n)
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// After a full scan a lookup is planned as before it: no more requests, and no shorter ones.
func TestLookupAfterAScan(t *testing.T) {
	skipLong(t)
	synctest.Test(t, func(t *testing.T) {
		store := busyStore(1, 20*time.Millisecond, fetch.Traits{})
		f := openBig(t, store)
		lookup := func() int {
			before := len(store.Requests())
			if n, err := f.Count(t.Context(), scanner.Options{Filter: scannertest.Parsed(t, fmt.Sprint("id = ", lookedUp))}); n != 1 || err != nil {
				t.Errorf("%d rows, %v", n, err)
			}
			return len(store.Requests()) - before
		}
		before := lookup()
		fullScan(t, f)
		if after := lookup(); after > before {
			t.Errorf("%d requests, before the scan %d", after, before)
		}
	})
}
