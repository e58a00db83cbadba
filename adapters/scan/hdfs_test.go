package main

import (
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/colinmarc/hdfs/v2"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
)

// TestHDFSErrors needs no cluster: a namenode that is not there, and names that are wrong.
func TestHDFSErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	down := "hdfs://" + l.Addr().String()
	t.Setenv("HADOOP_CONF_DIR", t.TempDir())
	for name, want := range map[string]string{
		down + "/a.parquet":    down + "/a.parquet: ",
		down + "/t/*.parquet":  down + "/t/*.parquet: ",
		"hdfs:///a.parquet":    "hdfs:///a.parquet: no namenode is named",
		"hdfs://nn":            "is not like hdfs://namenode:8020/folder/file",
		"hdfs://u:p@nn/a.parq": "is not like hdfs://namenode:8020/folder/file",
	} {
		code, out, errors := scan(t, "count", name)
		if code == 0 || out != "" || !strings.Contains(errors, want) || strings.Count(errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q %q", name, code, out, errors)
		}
	}
}

// TestHDFS reads files of a cluster, by name, by pattern and as a folder with partitions.
func TestHDFS(t *testing.T) {
	address := os.Getenv("WINNOW_HDFS")
	if address == "" {
		t.Skip("no cluster: bash adapters/hdfs/minicluster/run go test")
	}
	o, err := hdfsscan.FromConf(address)
	if err != nil {
		t.Fatal(err)
	}
	client, err := hdfs.NewClient(o.Client)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	folder := "/" + t.Name()
	defer client.RemoveAll(folder)
	orders := samples + "orders.parquet"
	for _, place := range []string{"/plain/", "/table/year=2023/", "/table/year=2024/"} {
		if err := client.MkdirAll(folder+place, 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, client, orders, folder+place+"orders.parquet")
	}
	url := "hdfs://" + address + folder
	_, want, _ := scan(t, "cat", "--format", "jsonl", orders)
	for _, name := range []string{"/plain/orders.parquet", "/plain/*.parquet", "/plain"} {
		if code, got, errors := scan(t, "cat", "--format", "jsonl", url+name); code != 0 || got != want || want == "" {
			t.Errorf("%s: exit code %d, %d bytes, want %d: %s", name, code, len(got), len(want), errors)
		}
	}
	for _, name := range []string{"/table/*/*.parquet", "/**/year=*/orders.parquet", "/table"} {
		code, got, errors := scan(t, "sql", "--format", "csv", "SELECT year, count(*) FROM '"+url+name+"' WHERE order_id < 2000 GROUP BY 1 ORDER BY 1")
		if code != 0 || got != "year,count(*)\n2023,1000\n2024,1000\n" {
			t.Errorf("%s: exit code %d, %s %s", name, code, got, errors)
		}
	}
	missing := url + "/none.parquet"
	if code, _, errors := scan(t, "cat", missing); code != 1 || errors != missing+": file does not exist\n" {
		t.Errorf("exit code %d, %q", code, errors)
	}
}

// put copies a file into a cluster. Closing fails as long as the second datanode lags behind.
func put(t *testing.T, client *hdfs.Client, local, remote string) {
	data, err := os.ReadFile(local)
	if err != nil {
		t.Fatal(err)
	}
	w, err := client.Create(remote)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	for {
		err := w.Close()
		if err == nil {
			return
		}
		if !hdfs.IsErrReplicating(err) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
