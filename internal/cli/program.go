package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// Program is a command-line program: the commands of this package under a name,
// and what it has besides them. Its schemes, formats and commands have names of
// their own: one that this package has already is not replaced. A Program must not
// change while it runs; several runs may share it.
type Program struct {
	Name     string // as users type it
	Schemes  []Scheme
	Formats  []Format
	Commands []Command

	screen *table.Screen // of tests, in place of the terminal that the output is; nil: none
}

// What a larger program adds, and what its commands get.
type (
	Scheme    = input.Scheme
	Format    = output.Format
	Report    = output.Report
	RowWriter = output.RowWriter
	Command   = command.Command
	Call      = command.Call
	Streams   = command.Streams
)

// Web returns the schemes http and https. Their files share connections.
func Web() []Scheme { return input.Web() }

// Main runs the command line of this process and returns its exit code. It sets
// limits of memory and listens to signals, so a process calls it once.
func (p *Program) Main() int {
	if os.Getenv("GOMEMLIMIT") == "" { // or the user has set a limit
		debug.SetMemoryLimit(memoryLimit)
		raiseWhenFull()
	}
	if output.ClosedAtStart(os.Stdin, os.Stdout, os.Stderr) {
		os.Stdout.Close()
	}
	return p.Run(interruptible(context.Background()), os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// Run executes one command line and returns its exit code.
func (p *Program) Run(ctx context.Context, args []string, std command.Streams) int {
	code, err := p.dispatch(ctx, args, std)
	var usage *fault.UsageError
	switch {
	case ctx.Err() != nil:
		return exitCode(ctx)
	case errors.As(err, &usage):
		fault.Print(std.Err, p.Name+": "+usage.What)
		if usage.Picture != "" {
			std.Err.WriteString(usage.Picture + "\n")
		}
		hint := "Try: " + p.Name + " help"
		if usage.Command != "" {
			hint += " " + usage.Command
		}
		std.Err.WriteString(hint + "\n")
		return exitUsage
	case err != nil:
		fault.Print(std.Err, p.Name+": "+err.Error())
		return max(code, exitBadFile)
	}
	return code
}

// Limits of memory, beyond which Go's runtime collects garbage before it asks for
// more. The first suffices for several columns with pages of 8 MiB. A small file
// may hold strings of a GiB, so a process that has more than this in use gets the
// raised limit.
const (
	memoryLimit = 160 << 20
	raisedLimit = 1 << 30
)

// raiseWhenFull raises the limit after the first collection of garbage that leaves more than it: the
// collector would run all the time, in vain.
func raiseWhenFull() {
	runtime.SetFinalizer(&struct{ self []byte }{}, func(any) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Uint64() < memoryLimit {
			raiseWhenFull()
		} else {
			debug.SetMemoryLimit(raisedLimit)
		}
	})
}

// interruption is a signal that ends a command, with its exit code.
type interruption struct {
	signal os.Signal
	code   int // as shells report it: 128 and the number
}

func (i *interruption) Error() string { return i.signal.String() }

// exitGrace is how long an interrupted command may take to end. One that needs
// longer waits for a reader of its output that takes nothing.
const exitGrace = 2 * time.Second

// interruptible returns a context that ends when a signal asks for that. A signal
// that this process was started to ignore, as nohup does with SIGHUP, is ignored.
func interruptible(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	all := [...]interruption{{os.Interrupt, exitInterrupted}, {syscall.SIGTERM, exitTerminated}, {syscall.SIGHUP, exitHungUp}}
	for _, i := range all {
		if !signal.Ignored(i.signal) {
			signal.Notify(signals, i.signal)
		}
	}
	go func() {
		got := <-signals
		signal.Stop(signals) // a second signal ends the process at once
		for _, i := range all {
			if i.signal == got {
				cancel(&i)
				time.Sleep(exitGrace)
				os.Exit(i.code)
			}
		}
	}()
	return ctx
}

// exitCode returns the exit code of a command that was interrupted.
func exitCode(ctx context.Context) int {
	var i *interruption
	if errors.As(context.Cause(ctx), &i) {
		return i.code
	}
	return exitInterrupted
}

// Exit codes.
const (
	exitOK          = 0
	exitBadFile     = 1   // a file is missing, corrupt, or not supported
	exitUsage       = 2   // the command line is wrong
	exitHungUp      = 129 // as shells report SIGHUP
	exitInterrupted = 130 // and SIGINT
	exitTerminated  = 143 // and SIGTERM
)

// version returns what this program knows of the source that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel), built without modules"
	}
	return versionOf(info)
}

// versionOf returns the version of the main module and the revision of its source:
//
//	v1.2.0                                                    go install MODULE@v1.2.0
//	v1.2.1-0.20…-168cbf3fe91c+dirty, revision 168cb…, altered go build in a clone
//	(devel), its revision was not recorded                    go run, go build -buildvcs=false
func versionOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := cmp.Or(info.Main.Version, "(devel)")
	switch revision := settings["vcs.revision"]; {
	case revision != "":
		text += ", revision " + revision
		if at := settings["vcs.time"]; at != "" {
			text += " of " + at
		}
		if settings["vcs.modified"] == "true" {
			text += ", with changes that are not committed"
		}
	case strings.HasPrefix(text, "("):
		text += ", its revision was not recorded: go build records it in a clone, unless -buildvcs=false is set"
	}
	return text
}
