package feed

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// What a feed hands out is what is there, and stays so until it is done with.
func TestFeed(t *testing.T) {
	data := noise(7, 300_000)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		src := fetch.FromBytes(bytes.Clone(data))
		if seed%3 != 0 {
			src = fetch.FromReaderAt(onlyReader{bytes.NewReader(data)}, int64(len(data)))
		}
		rec := record.Of(src)
		chunk := fetch.Range{Off: r.Int64N(100_000), Len: 1 + r.Int64N(200_000)}
		want := data[chunk.Off:chunk.End()]
		var wanted []fetch.Range
		if seed%2 == 0 {
			for at := int64(0); at < chunk.Len; at += 1 + r.Int64N(20_000) {
				n := min(1+r.Int64N(20_000), chunk.Len-at)
				wanted = append(wanted, fetch.Range{Off: at, Len: n})
				at += n
			}
		}
		var f Feed
		var p column.Bodies
		f.Open(Options{Ctx: t.Context(), Source: rec, Chunk: chunk, Ahead: 1 + r.Int64N(50_000), Wanted: wanted, Wary: seed%5 == 0, Pool: &p})
		type held struct {
			from int64
			b    []byte
		}
		var all []held
		done := int64(0)
		for at := int64(0); at < chunk.Len; {
			to := min(at+1+r.Int64N(1+r.Int64N(40_000)), chunk.Len)
			b, err := f.Read(at, to)
			if err != nil || cap(b)-len(b) < encoding.Padding {
				t.Fatalf("seed %d: %v, %d spare bytes", seed, err, cap(b)-len(b))
			}
			all = append(all, held{at, b})
			for _, h := range all {
				if h.from >= done && !bytes.Equal(h.b, want[h.from:h.from+int64(len(h.b))]) {
					t.Fatalf("seed %d: wrong bytes at %d after reading [%d, %d)", seed, h.from, at, to)
				}
			}
			if r.IntN(2) == 0 {
				done = at
				f.Done(at)
			}
			if at = to; r.IntN(5) == 0 {
				at += r.Int64N(30_000)
			}
		}
		for _, call := range rec.Take() {
			for _, x := range call {
				if x.Off < chunk.Off || x.End() > chunk.End() {
					t.Fatalf("seed %d: read %v of chunk %v", seed, x, chunk)
				}
			}
		}
		f.Close()
		if len(f.windows) > 0 {
			t.Errorf("seed %d: %d windows left", seed, len(f.windows))
		}
	}
}

// A chunk that is read from its front to its end is read once.
func TestFeedReadsOnce(t *testing.T) {
	data := noise(9, 500_000)
	rec := record.Of(fetch.FromReaderAt(onlyReader{bytes.NewReader(data)}, int64(len(data))))
	var f Feed
	f.Open(Options{Ctx: t.Context(), Source: rec, Chunk: fetch.Range{Len: int64(len(data))}, Ahead: 64 << 10, Pool: new(column.Bodies)})
	for at := int64(0); at < int64(len(data)); {
		header, body := min(at+100, int64(len(data))), min(at+9_000, int64(len(data)))
		for _, r := range [][2]int64{{at, header}, {header, body}} {
			if _, err := f.Read(r[0], r[1]); err != nil {
				t.Fatal(err)
			}
		}
		f.Done(body)
		at = body
	}
	calls, end := rec.Take(), int64(0)
	for _, c := range calls {
		if c[0].Off != end {
			t.Errorf("read %v after byte %d", c[0], end)
		}
		end = c[0].End()
	}
	if end != int64(len(data)) || len(calls) > 2*len(data)/(64<<10) {
		t.Errorf("%d calls up to %d", len(calls), end)
	}
}

// A feed of headers only reads no more where values are read by ReadAt, and many pages
// at a time where they are not; either way nothing is wrong, and little read twice.
func TestHeadersOnly(t *testing.T) {
	data := noise(11, 2_000_000)
	rec := record.Of(fetch.FromReaderAt(onlyReader{bytes.NewReader(data)}, int64(len(data))))
	var f Feed
	f.Open(Options{Ctx: t.Context(), Source: rec, Chunk: fetch.Range{Len: int64(len(data))}, Ahead: 256 << 10, Pool: new(column.Bodies), HeadersOnly: true})
	read := func(from, to int64) {
		t.Helper()
		if b, err := f.Read(from, to); err != nil || !bytes.Equal(b, data[from:to]) {
			t.Fatalf("[%d, %d): %v", from, to, err)
		}
	}
	const small = 1_000_000
	at := int64(0)
	for ; at < small; at += 9000 {
		read(at, at+100)
		read(at+100, at+9000)
		f.Done(at + 9000)
	}
	if calls := len(rec.Take()); calls > small/(256<<10)+4 {
		t.Errorf("%d calls for small pages", calls)
	}
	bytesRead := int64(0)
	for ; at+150_000 <= int64(len(data)); at += 150_000 {
		read(at, at+100)
		b := make([]byte, 149_900)
		if err := f.ReadAt(b, at+100); err != nil || !bytes.Equal(b, data[at+100:at+150_000]) {
			t.Fatal(at, err)
		}
		f.Done(at + 150_000)
		for _, c := range rec.Take() {
			bytesRead += c[0].Len
			if c[0].Len > 150_000 && c[0].Off > small+256<<10 {
				t.Errorf("read %v", c[0])
			}
		}
	}
	if bytesRead > int64(len(data))-small {
		t.Errorf("%d bytes for %d", bytesRead, int64(len(data))-small)
	}
}

// onlyReader hides that bytes are in memory.
type onlyReader struct{ *bytes.Reader }

func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}

// A feed without room in its budget reads no more than it must, or a header's bytes; it gives
// back what it is done with, and refuses a read that can never fit.
func TestFeedBudget(t *testing.T) {
	data := noise(7, 300_000)
	rec := record.Of(fetch.FromReaderAt(onlyReader{bytes.NewReader(data)}, int64(len(data))))
	b := budget.New([budget.Uses]int64{budget.Reading: 100_000})
	h := b.Join(budget.Reading)
	var f Feed
	var p column.Bodies
	f.Open(Options{Ctx: t.Context(), Source: rec, Chunk: fetch.Range{Len: 300_000}, Ahead: 60_000, Pool: &p, Budget: h, Most: 120_000})
	for _, step := range []struct {
		from, to int64
		read     string
		used     int64
	}{
		{0, 100, "read 0+60000\n", 60_000},
		{60_000, 60_100, "read 60000+4096\n", 64_096},
		{64_096, 164_096, "read 64096+100000\n", 164_096},
	} {
		if _, err := f.Read(step.from, step.to); err != nil {
			t.Fatal(err)
		}
		if got := rec.Text(); got != step.read {
			t.Errorf("[%d, %d): %s, want %s", step.from, step.to, got, step.read)
		}
		if now, _ := b.Used(); now != step.used {
			t.Errorf("[%d, %d): %d bytes used, want %d", step.from, step.to, now, step.used)
		}
	}
	if _, err := f.Read(164_096, 290_000); !errors.Is(err, corrupt.Memory) || rec.Text() != "" {
		t.Errorf("more than the budget has: %v", err)
	}
	f.Done(64_096)
	if now, _ := b.Used(); now != 100_000 {
		t.Errorf("%d bytes used behind Done, want 100000", now)
	}
	f.Close()
	if now, _ := b.Used(); now != 0 {
		t.Errorf("%d bytes used behind Close", now)
	}
}
