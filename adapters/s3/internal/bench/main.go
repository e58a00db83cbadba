package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/winnow-scan/winnow/adapters/s3/internal/proxy"
)

func main() {
	to := flag.String("to", "", "the store")
	latency := flag.Duration("latency", 30*time.Millisecond, "of each request")
	flag.Parse()
	p, err := proxy.New(*to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	p.Latency = *latency
	fmt.Println(p.URL)
	answers := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		p.Quiet()
		log, bytes := p.Take()
		_ = answers.Encode(struct { // whoever asks sees that the answer ends
			Requests int
			Bytes    int64
			Log      []string
		}{len(log), bytes, log})
	}
}
