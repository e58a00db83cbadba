package hdfsscan_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/colinmarc/hdfs/v2"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
)

// These tests need no cluster.

func TestParseURL(t *testing.T) {
	for url, want := range map[string]string{
		"hdfs://nn:8020/a/b.parquet":       "nn:8020 /a/b.parquet",
		"HDFS://nn/a/*.parquet":            "nn /a/*.parquet",
		"hdfs:///a%20b/c?d#e":              " /a%20b/c?d#e",
		"hdfs://[::1]:9000/":               "[::1]:9000 /",
		"hdfs://nn":                        "error",
		"hdfs:/a":                          "error",
		"s3://bucket/a":                    "error",
		"hdfs://user:secret@nn:8020/a.csv": "error",
		"":                                 "error",
	} {
		address, path, err := hdfsscan.ParseURL(url)
		got := address + " " + path
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s, %v, want %s", url, got, err, want)
		}
	}
}

func TestFromConf(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HADOOP_CONF_DIR", folder)
	t.Setenv("HADOOP_USER_NAME", "miller")
	show := func(address string) string {
		o, err := hdfsscan.FromConf(address)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(o.Name, " ", o.Client.Addresses, " ", o.WebHDFS, " ", o.Client.User, " ", o.Client.KerberosClient != nil)
	}
	check := func(address, want string) {
		t.Helper()
		if got := show(address); got != want {
			t.Errorf("%q: %s, want %s", address, got, want)
		}
	}
	check("", "no namenode is named, and the configuration of Hadoop has no fs.defaultFS with one")
	check("nn", "nn [nn:8020] [] miller false")
	check("nn:9000", "nn:9000 [nn:9000] [] miller false")
	check("[::1]", "[::1] [[::1]:8020] [] miller false")

	write := func(properties ...string) {
		text := "<configuration>"
		for i := 0; i < len(properties); i += 2 {
			text += "<property><name>" + properties[i] + "</name><value>" + properties[i+1] + "</value></property>"
		}
		if err := os.WriteFile(filepath.Join(folder, "hdfs-site.xml"), []byte(text+"</configuration>"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("fs.defaultFS", "hdfs://main:8020/ignored", "dfs.namenode.http-address", "0.0.0.0:9870")
	check("", "main:8020 [main:8020] [] miller false")
	write("fs.defaultFS", "file:///")
	check("", "no namenode is named, and the configuration of Hadoop has no fs.defaultFS with one")
	write("fs.defaultFS", "hdfs://both", "hadoop.security.authentication", "kerberos",
		"dfs.ha.namenodes.both", "one, two",
		"dfs.namenode.rpc-address.both.one", "n1:8020", "dfs.namenode.rpc-address.both.two", "n2:8020",
		"dfs.namenode.http-address.both.one", "n1:9870", "dfs.namenode.http-address.both.two", "n2:9870",
		"dfs.ha.namenodes.half", "x,y", "dfs.namenode.rpc-address.half.x", "n3:8020")
	check("", "both [n1:8020 n2:8020] [http://n1:9870 http://n2:9870] miller true")
	check("both", "both [n1:8020 n2:8020] [http://n1:9870 http://n2:9870] miller true")
	check("half", "the configuration of Hadoop has no dfs.namenode.rpc-address.half.y")
	check("nn", "nn [nn:8020] [] miller true")
	if err := os.WriteFile(filepath.Join(folder, "hdfs-site.xml"), []byte("<configuration>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := show("nn"); !strings.HasPrefix(got, "in the configuration of Hadoop: ") {
		t.Error(got)
	}
}

func clusterAt(address string, timeout time.Duration) *hdfsscan.Cluster {
	return hdfsscan.NewCluster(hdfsscan.Options{
		Client: hdfs.ClientOptions{Addresses: []string{address}, User: owner}, Timeout: timeout,
	})
}

func TestConnectionRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := clusterAt(l.Addr().String(), 0)
	defer c.Close()
	_, err = c.Open(t.Context(), "/a.parquet")
	fails(t, err, "hdfs://"+l.Addr().String()+"/a.parquet", nil, "connection refused")
	_, err = c.Match(t.Context(), "/*.parquet")
	fails(t, err, "hdfs://"+l.Addr().String()+"/*.parquet", nil, "connection refused")
}

// serveTCP answers connections until the test ends.
func serveTCP(t *testing.T, answer func(net.Conn)) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				answer(c)
				c.Close()
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return l.Addr().String()
}

// A namenode that accepts connections and is silent: the call ends with its context, or when the
// timeout has passed, and no goroutine is left.
func TestSilentNamenode(t *testing.T) {
	address := serveTCP(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	before := runtime.NumGoroutine()
	c := clusterAt(address, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Open(ctx, "/a.parquet"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	c.Close()
	c = clusterAt(address, 100*time.Millisecond)
	_, err := c.Open(t.Context(), "/a.parquet")
	fails(t, err, "/a.parquet", nil, address+" sent nothing for 100ms")
	c.Close()
	eventually(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
}

// A server that is no namenode is an error, and takes no memory for what it claims to send.
func TestNoNamenode(t *testing.T) {
	const long = "no namenode does"
	for answer, words := range map[string]string{
		"": "EOF", "\x00": "EOF", "\x00\x00\x00\x02\x01": "EOF", "\x00\x00\x00\x04\xff\xff\xff\xff": "",
		"HTTP/1.1 400 Bad Request\r\n\r\n": long, "\xff\xff\xff\xff": long, "\x08\x00\x00\x01\x01": long,
	} {
		address := serveTCP(t, func(c net.Conn) {
			io.WriteString(c, answer)
			c.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, c)
		})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := clusterAt(address, time.Second)
		_, err := c.Open(t.Context(), "/a.parquet")
		fails(t, err, "hdfs://"+address+"/a.parquet", nil, words)
		c.Close()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 {
			t.Errorf("%q: %d bytes allocated", answer, n)
		}
	}
}

func TestOptionsThatAreWrong(t *testing.T) {
	for want, o := range map[string]hdfsscan.Options{
		"user not specified":     {Client: hdfs.ClientOptions{Addresses: []string{"127.0.0.1:1"}}},
		"no available namenodes": {Client: hdfs.ClientOptions{User: owner}},
	} {
		c := hdfsscan.NewCluster(o)
		_, err := c.Open(t.Context(), "/a.parquet")
		fails(t, err, "/a.parquet", nil, want)
		c.Close()
		c.Close()
		if _, err := c.Open(t.Context(), "/a.parquet"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
}
