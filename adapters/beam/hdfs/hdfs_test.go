package hdfs_test

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/colinmarc/hdfs/v2"

	winnowio "github.com/winnow-scan/winnow/adapters/beam"
	_ "github.com/winnow-scan/winnow/adapters/beam/hdfs"
	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/filter"
)

func TestMain(m *testing.M) {
	beam.RegisterInit(func() { slog.SetDefault(slog.New(slog.DiscardHandler)) }) // after Beam's own
	ptest.MainWithDefault(m, "prism")
}

// item is what the pipeline needs of a row of lineitems.parquet.
type item struct {
	Mode string `parquet:"ship_mode"`
}

func init() {
	beam.RegisterType(reflect.TypeFor[item]())
	register.Function1x1(modeOf)
	register.Function2x1(lineOf)
}

func modeOf(i item) string             { return i.Mode }
func lineOf(mode string, n int) string { return fmt.Sprint(mode, ",", n) }

// Without a cluster: names reach package hdfsscan, which says why it cannot read them.
func TestUnreachable(t *testing.T) {
	t.Setenv("HADOOP_CONF_DIR", t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := "hdfs://" + l.Addr().String()
	l.Close()
	for name, want := range map[string]string{
		down + "/a.parquet":   "connect",
		down + "/a/*.parquet": "connect",
		"hdfs:///a.parquet":   "no namenode is named",
		"hdfs://nn":           "is not like hdfs://namenode:8020/folder/file",
	} {
		_, err := winnowio.RowType(t.Context(), name, winnowio.Options{})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pipeline reads a table of two files in a cluster. The counts are those of pyarrow.
func TestPipelineHDFS(t *testing.T) {
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
	for _, year := range []string{"/year=2023", "/year=2024"} {
		if err := client.MkdirAll(folder+year, 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, client, "../../../testdata/lineitems.parquet", folder+year+"/a.parquet")
	}
	p, s := beam.NewPipelineWithRoot()
	items := winnowio.Read[item](s, "hdfs://"+address+folder+"/*/*.parquet", winnowio.Options{
		Filter: filter.And(filter.Col("quantity").Gt(48), filter.Col("year").Eq(2024)), SplitBytes: 64 << 10,
	})
	counts := beam.ParDo(s, lineOf, stats.Count(s, beam.ParDo(s, modeOf, items)))
	passert.EqualsList(s, counts, []string{"AIR,120", "FOB,129", "MAIL,120", "RAIL,112", "REG-AIR,126", "SHIP,143", "TRUCK,118"})
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
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
