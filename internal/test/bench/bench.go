package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // a scan failed, or its answer is wrong
	exitUsage  = 2
)

// Main executes the program's command line and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// A command prints what it measures. It is ok unless an answer is wrong.
type command func(ctx context.Context, stdout io.Writer) (ok bool, err error)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	measure, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	ok, err := measure(ctx, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
	}
	if err != nil || !ok {
		return exitFailed
	}
	return exitOK
}

func parse(args []string, stderr io.Writer) (command, error) {
	switch {
	case len(args) == 0:
	case args[0] == "help":
		args = []string{"--help"}
	case args[0] == "sweep":
		s, err := parseSweep(args[1:], stderr)
		return s.run, err
	}
	o, err := parseOptions(args, stderr)
	if err == nil && o.workloads == nil {
		return o.measureSkips, nil
	}
	return o.measure, err
}
