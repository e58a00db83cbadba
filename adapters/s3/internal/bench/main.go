package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	s3scan "github.com/winnow-scan/winnow/adapters/s3"
	"github.com/winnow-scan/winnow/adapters/s3/internal/proxy"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	to := flags.String("to", "", "proxy: the store")
	latency := flags.Duration("latency", 30*time.Millisecond, "proxy: of each request")
	endpoint := flags.String("endpoint", "", "scan: the store")
	if len(args) == 0 || flags.Parse(args[1:]) != nil {
		return errors.New("proxy or scan?")
	}
	switch args[0] {
	case "proxy":
		return runProxy(*to, *latency)
	case "scan":
		return runScans(*endpoint)
	}
	return errors.New("proxy or scan?")
}

// answer answers each line of standard input.
func answer(to func(line string) (any, error)) error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		a, err := to(lines.Text())
		if err != nil {
			return err
		}
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		fmt.Println(string(text))
	}
	return lines.Err()
}

// runProxy prints the proxy's URL, and then for each line the requests and bytes since the last one.
func runProxy(to string, latency time.Duration) error {
	p, err := proxy.New(to, "")
	if err != nil {
		return err
	}
	p.Latency = latency
	fmt.Println(p.URL)
	return answer(func(line string) (any, error) {
		p.Quiet()
		log, bytes := p.Take()
		return struct {
			Requests int
			Bytes    int64
			Log      []string
		}{len(log), bytes, log}, nil
	})
}

// scan is a line of the script: what to scan.
type scan struct {
	Pattern string
	Where   string
	Select  []string
}

// runScans runs the scan of each line, with files that are opened anew and connections that stay.
func runScans(endpoint string) error {
	ctx := context.Background()
	client, err := s3scan.NewClient(ctx, s3scan.Options{Endpoint: endpoint})
	if err != nil {
		return err
	}
	return answer(func(line string) (any, error) {
		var s scan
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, err
		}
		o := scanner.Options{Select: s.Select, Threads: runtime.GOMAXPROCS(0)}
		if s.Where != "" {
			if o.Filter, err = filter.Parse(s.Where); err != nil {
				return nil, err
			}
		}
		start := time.Now()
		rows, sum, err := scanAll(ctx, client, s.Pattern, o)
		return struct {
			Seconds   float64
			Rows, Sum int64
		}{time.Since(start).Seconds(), rows, sum}, err
	})
}

// scanAll returns how many rows there are, and the sum of column id.
func scanAll(ctx context.Context, client *s3scan.Client, pattern string, o scanner.Options) (rows, sum int64, err error) {
	var table scanner.Table
	if strings.Contains(pattern, "*") {
		if table, err = client.Files(ctx, scanner.OpenOptions{}, pattern); err != nil {
			return 0, 0, err
		}
	} else {
		src, err := client.Open(ctx, pattern)
		if err != nil {
			return 0, 0, err
		}
		f, err := scanner.OpenSource(ctx, pattern, src)
		if err != nil {
			return 0, 0, err
		}
		defer f.Close()
		table = f
	}
	for b, err := range table.Scan(ctx, o) {
		if err != nil {
			return 0, 0, err
		}
		for i := range b.Fields {
			if b.Fields[i].Name == "id" {
				b.Columns[i].Flatten()
				for _, id := range b.Columns[i].Int64s {
					sum += id
				}
			}
		}
		rows += int64(b.Len)
		b.Release()
	}
	return rows, sum, nil
}
