package cli

import (
	"context"
	"fmt"
)

// commands returns the table of commands.
func (p *Program) commands() *commandTable {
	t := &commandTable{program: p.Name, schemes: p.Schemes, formats: append(formats(), p.Formats...)}
	t.rows = []*Command{
		catCommand(), headCommand(), tailCommand(), sampleCommand(), countCommand(), minCommand(), maxCommand(), describeCommand(), explainCommand(), adviseCommand(),
		schemaCommand(), sizeCommand(), metaCommand(), pagesCommand(p.Name), indexCommand(), bloomCommand(), dumpCommand(), verifyCommand(), serveCommand(),
	}
	for _, c := range p.Commands {
		t.rows = append(t.rows, &c)
	}
	t.rows = append(t.rows,
		&Command{
			Name: "help", Args: "[COMMAND]", Summary: "explain a command",
			print: func(_ context.Context, std Streams, args []string) error { return explainCommands(std.Out, t, args) },
		},
		&Command{
			Name: "version", Summary: "print the version of this program",
			print: func(_ context.Context, std Streams, _ []string) error {
				_, err := fmt.Fprintln(std.Out, p.Name, version())
				return err
			},
		},
		&Command{
			Name: "completion", Args: "bash|zsh|fish", Summary: "print a script that completes commands, flags, files and columns",
			print: func(ctx context.Context, std Streams, args []string) error { return completion(ctx, t, std, args) },
		},
		&Command{
			Name: "manual", Summary: "print the manual page, as man -l - shows it",
			print: func(_ context.Context, std Streams, _ []string) error { return manual(std.Out, t) },
		})
	for _, c := range t.rows {
		c.formats = formatsOf(t.formats, c.Rows)
		c.far = len(p.Schemes) > 0 && !c.local
	}
	return t
}
