package hdfsscan_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"path"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/colinmarc/hdfs/v2"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

const mib = 1 << 20 // the smallest block that a namenode allows

// hadoop is the cluster of minicluster/run, with a client of the library that writes.
type hadoop struct {
	address string
	client  *hdfs.Client
	folder  string // of the test
}

// start returns the cluster that the test runs beside. Without one the test is skipped; CI's step
// "hdfs" has one.
func start(t testing.TB) *hadoop {
	t.Helper()
	address := os.Getenv("WINNOW_HDFS")
	if address == "" {
		t.Skip("no cluster: bash adapters/hdfs/minicluster/run go test")
	}
	client, err := hdfs.NewClient(hdfs.ClientOptions{Addresses: []string{address}, User: owner})
	if err != nil {
		t.Fatal(err)
	}
	h := &hadoop{address, client, "/" + t.Name()}
	if err := client.MkdirAll(h.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.RemoveAll(h.folder)
		client.Close()
	})
	return h
}

// owner owns all files of the tests. The cluster's own user may do anything, so tests are another.
const owner = "miller"

func TestMain(m *testing.M) {
	if address := os.Getenv("WINNOW_HDFS"); address != "" {
		if err := openRoot(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// openRoot lets everybody write to the cluster's root.
func openRoot(address string) error {
	o, err := hdfsscan.FromConf(address) // with the user that has started the cluster
	if err != nil {
		return err
	}
	client, err := hdfs.NewClient(o.Client)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Chmod("/", 0o777)
}

// write writes a file in blocks of 1 MiB, and returns its path.
func (h *hadoop) write(t testing.TB, name string, data []byte, replicas int) string {
	t.Helper()
	name = path.Join(h.folder, name)
	if err := h.client.MkdirAll(path.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	// The namenode hears of a block from the datanodes, which may take a moment. Until then it
	// refuses the next block, and the end of the file.
	var err error
	for range 20 {
		if err = h.tryWrite(name, data, replicas); err == nil {
			return name
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal(err)
	return ""
}

func (h *hadoop) tryWrite(name string, data []byte, replicas int) error {
	h.client.Remove(name)
	w, err := h.client.CreateFile(name, replicas, mib, 0o644)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	closing := w.Close()
	// After a write that failed, or to a datanode that is lost, the last block may never be there.
	for deadline := time.Now().Add(10 * time.Second); err == nil && hdfs.IsErrReplicating(closing) && time.Now().Before(deadline); closing = w.Close() {
		time.Sleep(10 * time.Millisecond)
	}
	return cmp.Or(err, closing)
}

// cluster returns the cluster as hosts use it, with connections through n, if there is one.
func (h *hadoop) cluster(t testing.TB, n *network, change ...func(*hdfsscan.Options)) *hdfsscan.Cluster {
	o := hdfsscan.Options{
		Client:  hdfs.ClientOptions{Addresses: []string{h.address}, User: owner},
		WebHDFS: []string{os.Getenv("WINNOW_HDFS_WEB")},
	}
	if n != nil {
		o.Client.NamenodeDialFunc = n.namenode
		o.Client.DatanodeDialFunc = n.datanode
	}
	for _, c := range change {
		c(&o)
	}
	c := hdfsscan.NewCluster(o)
	t.Cleanup(func() { c.Close() })
	return c
}

func open(t testing.TB, c *hdfsscan.Cluster, name string) *hdfsscan.File {
	t.Helper()
	f, err := c.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// network is connections that a test counts, and lets fail.
type network struct {
	mu          sync.Mutex
	open        map[net.Conn]bool
	dials       int // to datanodes
	metaDials   int // to namenodes
	metaRefused int

	fail     func(dial int, c net.Conn) net.Conn // changes a connection to a datanode; nil refuses it
	failMeta func(c net.Conn) net.Conn           // changes one to a namenode
}

func (n *network) namenode(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil {
		n.metaRefused++
		return nil, err
	}
	n.metaDials++
	c = n.count(c)
	if n.failMeta != nil {
		c = n.failMeta(c)
	}
	return c, nil
}

func (n *network) datanode(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dials++
	c = n.count(c)
	if n.fail == nil {
		return c, nil
	}
	if changed := n.fail(n.dials, c); changed != nil {
		return changed, nil
	}
	delete(n.open, c)
	c.(counted).Conn.Close()
	return nil, fmt.Errorf("connection to %s refused by the test", address)
}

// count wraps a connection so that it is counted as open. The caller has the lock.
func (n *network) count(c net.Conn) net.Conn {
	if n.open == nil {
		n.open = map[net.Conn]bool{}
	}
	k := counted{c, n}
	n.open[k] = true
	return k
}

type counted struct {
	net.Conn
	n *network
}

func (c counted) Close() error {
	c.n.mu.Lock()
	delete(c.n.open, c)
	c.n.mu.Unlock()
	return c.Conn.Close()
}

func (n *network) connections() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.open)
}

// cut is a connection that ends after some bytes.
type cut struct {
	net.Conn
	left int
}

func (c *cut) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("connection cut by the test")
	}
	n, err := c.Conn.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// eventually waits for a condition that goroutines which end bring about.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%s\n%s", what, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// noLeak checks at the end of the test that neither a goroutine nor a connection is left.
// The clusters and files of the test must be closed by then.
func noLeak(t testing.TB, n *network) (check func()) {
	before := runtime.NumGoroutine()
	return func() {
		t.Helper()
		eventually(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
		eventually(t, "connections are left", func() bool { return n.connections() == 0 })
	}
}

// points is a file with a row group for each perGroup rows of about 200 bytes: id ascends.
func points(t testing.TB, rows, perGroup int) []byte {
	t.Helper()
	file := gen.File{Schema: []*gen.Node{gen.Required("id", gen.Int64), gen.Required("text", gen.ByteArray).As(gen.StringType())}}
	for from := 0; from < rows; from += perGroup {
		var group []any
		for id := from; id < min(from+perGroup, rows); id++ {
			group = append(group, gen.Record{"id": int64(id), "text": text(id)})
		}
		file.RowGroups = append(file.RowGroups, gen.RowGroup{Rows: group, Columns: []gen.Column{{PageRows: []int{100}}, {PageRows: []int{100}}}})
	}
	data, err := file.Write()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func text(id int) string { return string(bytes.Repeat(fmt.Append(nil, id, " "), 40)) }
