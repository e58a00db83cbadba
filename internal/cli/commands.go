package cli

import (
	"context"

	"github.com/winnow-scan/winnow/internal/cli/answer"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/explain"
	"github.com/winnow-scan/winnow/internal/cli/guide"
	"github.com/winnow-scan/winnow/internal/cli/inspect"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/serve"
	"github.com/winnow-scan/winnow/internal/cli/verify"
)

// commands returns the table of commands.
func (p *Program) commands() *command.Table {
	t := &command.Table{Program: p.Name, Schemes: p.Schemes, Formats: append(output.Formats(), p.Formats...)}
	t.Rows = []*command.Command{
		answer.Cat(), answer.Head(), answer.Tail(), answer.Sample(), answer.Count(), answer.Min(), answer.Max(), answer.Describe(), explain.Explain(), explain.Advise(),
		inspect.Schema(), inspect.Size(), inspect.Meta(), inspect.Pages(p.Name), inspect.Index(), inspect.Bloom(), inspect.Dump(), verify.Command(), serve.Command(),
	}
	for _, c := range p.Commands {
		t.Rows = append(t.Rows, &c)
	}
	t.Rows = append(t.Rows,
		&command.Command{
			Name: "help", Args: "[COMMAND]", Summary: "explain a command",
			Print: func(_ context.Context, args []string) (string, error) { return guide.Explain(t, args) },
		},
		&command.Command{
			Name: "version", Summary: "print the version of this program",
			Print: func(context.Context, []string) (string, error) { return p.Name + " " + version() + "\n", nil },
		},
		&command.Command{
			Name: "completion", Args: "bash|zsh|fish", Summary: "print a script that completes commands, flags, files and columns",
			Print: func(ctx context.Context, args []string) (string, error) { return guide.Completion(ctx, t, args) },
		},
		&command.Command{
			Name: "manual", Summary: "print the manual page, as man -l - shows it",
			Print: func(context.Context, []string) (string, error) { return guide.Manual(t), nil },
		})
	for _, c := range t.Rows {
		c.Formats = output.FormatsOf(t.Formats, c.Rows)
		c.Far = len(p.Schemes) > 0 && !c.Local
	}
	return t
}
