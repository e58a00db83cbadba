package hdfsscan_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colinmarc/hdfs/v2"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Connections to datanodes that are refused or cut, each at every place where there is one: a scan
// has the right rows, as the next attempt succeeds.
func TestDatanodeFaults(t *testing.T) {
	h := start(t)
	data := points(t, 3000, 500)
	name := h.write(t, "points.parquet", data, 1)
	faults := map[string]func(net.Conn) net.Conn{
		"refused":           func(net.Conn) net.Conn { return nil },
		"cut at once":       func(c net.Conn) net.Conn { return &cut{c, 0} },
		"cut in the answer": func(c net.Conn) net.Conn { return &cut{c, 20} },
		"cut in the bytes":  func(c net.Conn) net.Conn { return &cut{c, 70_000} },
	}
	for what, fault := range faults {
		for at, dials := 1, 1; at <= dials; at++ {
			n := new(network)
			check := noLeak(t, n)
			n.fail = func(dial int, c net.Conn) net.Conn {
				if dial == at {
					return fault(c)
				}
				return c
			}
			c := h.cluster(t, n, func(o *hdfsscan.Options) { o.Readers = 2 })
			f := open(t, c, name)
			rows, err := scan(t, f, scanner.Options{Threads: 2})
			if err != nil || !slices.Equal(sorted(rows), sequence(3000)) {
				t.Fatalf("connection %d %s: %d rows, %v", at, what, len(rows), err)
			}
			dials = n.dials
			f.Close()
			c.Close()
			check()
		}
	}
}

func sorted(rows []int64) []int64 {
	slices.Sort(rows)
	return rows
}

// Datanodes that are down for good: one line that names the file and the range, and nothing is left.
func TestDatanodeDown(t *testing.T) {
	h := start(t)
	name := h.write(t, "noise", noise(mib+10), 1)
	for _, data := range []struct {
		fault func(net.Conn) net.Conn
		dials int
		words string
	}{
		{func(net.Conn) net.Conn { return nil }, 3, "refused by the test"},
		{func(c net.Conn) net.Conn { return &cut{c, 0} }, 3, "cut by the test"},
		{func(c net.Conn) net.Conn { return &junk{c, 0} }, 3, "invalid response"},
		{func(c net.Conn) net.Conn { return bomb{c} }, 3, "panic: of a library"},
		{func(c net.Conn) net.Conn { return &junk{c, 40} }, 3 * 50, "50 connections to datanodes gave no bytes"},
	} {
		n := new(network)
		check := noLeak(t, n)
		c := h.cluster(t, n)
		f := open(t, c, name)
		n.fail = func(_ int, c net.Conn) net.Conn { return data.fault(c) }
		_, err := f.ReadRanges(t.Context(), []fetch.Range{{Off: 5, Len: 100}}, nil)
		fails(t, err, "hdfs://"+h.address+name+": range 5+100: ", nil, data.words)
		if n.dials != data.dials {
			t.Errorf("%s: %d connections", data.words, n.dials)
		}
		f.Close()
		c.Close()
		check()
	}
}

// junk is a connection that has nonsense after some bytes.
type junk struct {
	net.Conn
	left int
}

func (j *junk) Read(b []byte) (int, error) {
	if j.left > 0 {
		n, err := j.Conn.Read(b[:min(len(b), j.left)])
		j.left -= n
		return n, err
	}
	return copy(b, "\x80\x80\x80\x80\x80\x80\x80\x80\x40\x00\x00\x00"), nil
}

// bomb is a connection whose bytes make the library panic.
type bomb struct{ net.Conn }

func (bomb) Read([]byte) (int, error) { panic("of a library") }

// One of two datanodes is down: the bytes come from the other.
func TestFailover(t *testing.T) {
	h := start(t)
	data := noise(3 * mib)
	name := h.write(t, "noise", data, 2)
	down, cuts := "", 0 // n's lock guards them while reads run
	n := new(network)
	n.fail = func(_ int, c net.Conn) net.Conn {
		address := c.RemoteAddr().String()
		if down == "" {
			down = address
		}
		if address != down {
			return c
		}
		cuts++
		return &cut{c, 280_000}
	}
	f := open(t, h.cluster(t, n), name)
	var apart []fetch.Range // with gaps that are read over
	for off := int64(0); off+40_000 < f.Size(); off += 50_000 {
		apart = append(apart, fetch.Range{Off: off, Len: 40_000})
	}
	for _, ranges := range [][]fetch.Range{{{Len: f.Size()}}, {{Off: 100, Len: 2 * mib}}, {{Off: mib - 10, Len: 20}}, apart} {
		down = "" // the one that is asked first
		got, err := f.ReadRanges(t.Context(), ranges, nil)
		if err != nil {
			t.Errorf("%v: %v", ranges, err)
			continue
		}
		for i, r := range ranges {
			if !bytes.Equal(got[i], data[r.Off:r.End()]) {
				t.Errorf("range %v of %v: wrong bytes", r, ranges)
			}
		}
	}
	if cuts < 3 {
		t.Errorf("%d connections were cut", cuts)
	}
}

// A replica whose bytes have changed on the disk is not believed: there is an error, or another replica
// is read.
func TestRottenReplica(t *testing.T) {
	h := start(t)
	for replicas := 1; replicas <= 2; replicas++ {
		data := noise(mib/2 + replicas)
		name := h.write(t, fmt.Sprint("noise", replicas), data, replicas)
		n := new(network)
		f := open(t, h.cluster(t, n), name)
		rot(t, int64(len(data)), 200_000)
		for _, r := range []fetch.Range{{Len: f.Size()}, {Off: 150_000, Len: 100_000}, {Off: 199_900, Len: 200}} {
			got, err := fetch.ReadRange(t.Context(), f, r, nil)
			switch {
			case replicas == 1:
				fails(t, err, name, nil, "checksum")
			case err != nil || !bytes.Equal(got, data[r.Off:r.End()]):
				t.Errorf("range %v of two replicas: %v, or wrong bytes", r, err)
			}
		}
		if open := n.connections(); open > 2 { // to the namenode, and one stream
			t.Errorf("%d replicas: %d connections", replicas, open)
		}
		if r := (fetch.Range{Off: 300_000, Len: 100}); replicas == 1 {
			if got, err := fetch.ReadRange(t.Context(), f, r, nil); err != nil || !bytes.Equal(got, data[r.Off:r.End()]) {
				t.Errorf("range %v, which is sound: %v, or wrong bytes", r, err)
			}
		}
	}
}

// rot changes a byte of the first replica of a block, which is known by its length.
func rot(t *testing.T, length, at int64) {
	t.Helper()
	done := false
	err := filepath.WalkDir(os.Getenv("WINNOW_HDFS_DATA"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || done || !strings.HasPrefix(d.Name(), "blk_") {
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() != length {
			return nil
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		b := make([]byte, 1)
		if _, err := file.ReadAt(b, at); err != nil {
			return err
		}
		b[0] ^= 1
		_, err = file.WriteAt(b, at)
		done = err == nil
		return err
	})
	if err != nil || !done {
		t.Fatalf("no replica of %d bytes: %v", length, err)
	}
}

// The connection to the namenode may break between calls.
func TestNamenodeConnectionBreaks(t *testing.T) {
	h := start(t)
	n := new(network)
	var last net.Conn
	n.failMeta = func(c net.Conn) net.Conn { last = c; return c }
	c := h.cluster(t, n)
	name := h.write(t, "noise", noise(10), 1)
	for range 3 {
		open(t, c, name)
		last.(counted).Conn.Close()
	}
	if n.metaDials != 3 {
		t.Errorf("%d connections to the namenode", n.metaDials)
	}
}

// Of several namenodes the one that answers is found, and then asked first.
func TestSeveralNamenodes(t *testing.T) {
	h := start(t)
	down, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	down.Close()
	n := new(network)
	name := h.write(t, "noise", noise(10), 1)
	c := h.cluster(t, n, func(o *hdfsscan.Options) {
		o.Client.Addresses = []string{down.Addr().String(), h.address}
	})
	f := open(t, c, name)
	if f.Name() != "hdfs://"+down.Addr().String()+name {
		t.Errorf("the file is %s", f.Name())
	}
	if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 10}, nil); err != nil {
		t.Error(err)
	}
	if n.metaRefused != 1 || n.metaDials != 2 {
		t.Errorf("%d connections, %d refused", n.metaDials, n.metaRefused)
	}
}

// A file that is replaced while a reader is opened, after its state and before its blocks were
// asked for, is an error.
func TestReplacedWhileOpening(t *testing.T) {
	h := start(t)
	n := new(network)
	name := h.write(t, "noise", noise(1000), 1)
	f := open(t, h.cluster(t, n), name)
	replaced := false
	n.failMeta = func(c net.Conn) net.Conn {
		return spy{c, func(request []byte) {
			if !replaced && bytes.Contains(request, []byte("getBlockLocations")) {
				replaced = true
				h.write(t, "noise", noise(1001), 1)
			}
		}}
	}
	_, err := f.ReadRanges(t.Context(), []fetch.Range{{Len: 1000}}, nil)
	fails(t, err, name, fetch.ErrChanged, "")
	if !replaced {
		t.Error("the file was not replaced")
	}
}

// spy tells of what is sent before it is.
type spy struct {
	net.Conn
	tell func([]byte)
}

func (s spy) Write(b []byte) (int, error) {
	s.tell(b)
	return s.Conn.Write(b)
}

// The bytes are read by readers that need no namenode once they have their blocks, so their
// number is not that of connections to it.
func TestConnections(t *testing.T) {
	h := start(t)
	n := new(network)
	f := open(t, h.cluster(t, n), h.write(t, "noise", noise(3*mib), 1))
	for off := range int64(30) {
		if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Off: off * 90_000, Len: 90_000}, nil); err != nil {
			t.Fatal(err)
		}
	}
	// One reader reads on where it was; a stream ends with its block.
	if n.metaDials != 2 || n.dials != 3 || n.connections() > 2 {
		t.Errorf("%d connections to the namenode, %d to datanodes, %d are open", n.metaDials, n.dials, n.connections())
	}
}

// mute reads what a server sends and says nothing of it.
type mute struct{ net.Conn }

func (m mute) Read([]byte) (int, error) {
	for {
		if _, err := m.Conn.Read(make([]byte, 1<<16)); err != nil {
			return 0, err
		}
	}
}

// A read whose context ends returns at once, though the datanode is silent, and leaves nothing.
func TestCancel(t *testing.T) {
	h := start(t)
	n := new(network)
	check := noLeak(t, n)
	name := h.write(t, "noise", noise(3*mib), 1)
	c := h.cluster(t, n)
	f := open(t, c, name)
	n.fail = func(_ int, c net.Conn) net.Conn { return mute{c} }
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	start := time.Now()
	_, err := f.ReadRanges(ctx, []fetch.Range{{Len: 100}, {Off: mib, Len: 100}, {Off: 2 * mib, Len: 100}}, nil)
	if !errors.Is(err, cause) || !errors.Is(err, context.Canceled) || time.Since(start) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	n.fail = nil
	if _, err := fetch.ReadRange(t.Context(), f, fetch.Range{Len: 100}, nil); err != nil {
		t.Errorf("the next read: %v", err)
	}
	f.Close()
	c.Close()
	check()
}

// A datanode that is silent for too long is given up.
func TestTimeout(t *testing.T) {
	h := start(t)
	n := new(network)
	name := h.write(t, "noise", noise(10), 1)
	n.fail = func(_ int, c net.Conn) net.Conn { return mute{c} }
	f := open(t, h.cluster(t, n, func(o *hdfsscan.Options) { o.Timeout = 100 * time.Millisecond }), name)
	_, err := f.ReadRanges(t.Context(), []fetch.Range{{Len: 10}}, nil)
	fails(t, err, name, nil, "sent nothing for 100ms")
}

// A namenode that cannot be reached any more tells of no change: what needs it fails with an error
// that says so, and what needs datanodes only goes on.
func TestNamenodeIsLost(t *testing.T) {
	h := start(t)
	data := points(t, 3000, 500)
	name := h.write(t, "points.parquet", data, 1)
	for what, tc := range map[string]struct {
		words string
		fail  func(net.Conn) net.Conn
	}{
		"silent": {"sent nothing for 100ms", func(c net.Conn) net.Conn { return mute{c} }},
		"cut":    {"connection cut by the test", func(c net.Conn) net.Conn { return &cut{c, 0} }},
	} {
		t.Run(what, func(t *testing.T) {
			n := new(network)
			c := h.cluster(t, n, func(o *hdfsscan.Options) { o.Timeout, o.Readers = 100*time.Millisecond, 1 })
			used, fresh := open(t, c, name), open(t, c, name)
			atFirst := used.Traits().Identity
			file, err := scanner.OpenSource(t.Context(), "points", used)
			if err != nil {
				t.Fatal(err)
			}
			n.mu.Lock()
			n.failMeta = tc.fail
			for c := range n.open { // those that the cluster keeps
				c.(counted).Conn.Close()
			}
			n.mu.Unlock()
			rows, err := ids(t, file, scanner.Options{}) // by the reader of opening, which knows its blocks
			if err != nil || !slices.Equal(sorted(rows), sequence(3000)) {
				t.Errorf("scan: %d rows, %v", len(rows), err)
			}
			if now := fetch.IdentityOf(used); !now.Same(atFirst) || now.Known() {
				t.Errorf("%+v, at opening %+v", now, atFirst)
			}
			_, err = fetch.ReadRange(t.Context(), fresh, fetch.Range{Len: 100}, nil)
			fails(t, err, name, nil, tc.words)
			if errors.Is(err, fetch.ErrChanged) {
				t.Error(err)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	h := start(t)
	for _, name := range []string{
		"a.parquet", "b.parquet", "_SUCCESS", ".hidden",
		"day=1/x.parquet", "day=1/_x", "day=2/y.parquet", "day=2/deep/z.parquet", "_temporary/t.parquet", "odd[1]/o.parquet",
	} {
		h.write(t, name, []byte(name), 1)
	}
	if err := h.client.Mkdir(h.folder+"/empty", 0o755); err != nil {
		t.Fatal(err)
	}
	c := h.cluster(t, nil)
	for pattern, want := range map[string]string{
		"a.parquet":          "a.parquet",
		"*.parquet":          "a.parquet b.parquet",
		"?.parquet":          "a.parquet b.parquet",
		"[b-z].parquet":      "b.parquet",
		"day=1":              "day=1/x.parquet",
		"day=1/_x":           "day=1/_x",
		"day=1/_*":           "day=1/_x",
		"day=*":              "day=1/x.parquet day=2/deep/z.parquet day=2/y.parquet",
		"day=*/*.parquet":    "day=1/x.parquet day=2/y.parquet",
		"**/*.parquet":       "a.parquet b.parquet day=1/x.parquet day=2/deep/z.parquet day=2/y.parquet odd[1]/o.parquet",
		"day=2/**":           "day=2/deep/z.parquet day=2/y.parquet",
		"**/deep/*.parquet":  "day=2/deep/z.parquet",
		"day=2/**/z.parquet": "day=2/deep/z.parquet",
		"odd[1]/o.parquet":   "odd[1]/o.parquet",
		".":                  "a.parquet b.parquet day=1/x.parquet day=2/deep/z.parquet day=2/y.parquet odd[1]/o.parquet",
		"_temporary":         "_temporary/t.parquet",
		"c.parquet":          "file does not exist",
		"c*.parquet":         "no file matches",
		"empty":              "no file matches",
		"none/*/*":           "no file matches",
		"day=[1/*.parquet":   "not a pattern: a bracket is not closed",
	} {
		found, err := c.Match(t.Context(), h.folder+"/"+pattern)
		if err != nil {
			fails(t, err, h.folder, nil, want)
			if strings.Contains(want, ".parquet") || errors.Is(err, fs.ErrNotExist) == strings.Contains(want, "bracket") {
				t.Errorf("%s: %v", pattern, err)
			}
			continue
		}
		for i := range found {
			found[i] = strings.TrimPrefix(found[i], h.folder+"/")
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	// What may not be listed is an error, not less data.
	if err := h.client.Chmod(h.folder+"/day=2/deep", 0o700); err != nil {
		t.Fatal(err)
	}
	other := h.cluster(t, nil, func(o *hdfsscan.Options) {
		o.Client = hdfs.ClientOptions{Addresses: []string{h.address}, User: "somebody"}
	})
	_, err := other.Match(t.Context(), h.folder+"/**/*.parquet")
	fails(t, err, h.folder, fs.ErrPermission, "")
}
