package guide

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/scanner"
)

// Completion returns a script for the shell: commands, then the flags of the
// command at hand, columns where a flag takes them, else files. The script asks for
// columns by "completion columns" and the words of the line.
func Completion(ctx context.Context, t *command.Table, args []string) (string, error) {
	if len(args) > 0 && args[0] == "columns" {
		return columnsOf(ctx, args[1:])
	}
	if len(args) != 1 {
		return "", &fault.UsageError{Command: "completion", What: "completion: for which shell? bash, zsh or fish"}
	}
	var b strings.Builder
	switch args[0] {
	case "bash":
		bashCompletion(&b, t)
	case "zsh":
		zshCompletion(&b, t)
	case "fish":
		fishCompletion(&b, t)
	default:
		return "", &fault.UsageError{Command: "completion", What: fmt.Sprintf("completion: no shell %q, only bash, zsh and fish", args[0])}
	}
	return b.String(), nil
}

// columnsOf returns the columns of the first of words that is a file of this machine, and
// those within them, a line each.
func columnsOf(ctx context.Context, words []string) (string, error) {
	for _, word := range words {
		info, err := os.Stat(word)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := scanner.Open(ctx, word)
		if err != nil {
			return "", err
		}
		defer f.Close()
		var names []string
		var below func(n *schema.Node)
		below = func(n *schema.Node) {
			for _, c := range n.Children {
				names = append(names, c.String())
				if c.MaxRep == 0 {
					below(c)
				}
			}
		}
		below(f.Schema().Root())
		return strings.Join(names, "\n") + "\n", nil
	}
	return "", nil
}

// takesColumns reports whether what follows a flag are columns.
func takesColumns(f command.Flag) bool { return f.Long() == "select" || f.Long() == "order-by" }

func bashCompletion(b *strings.Builder, t *command.Table) {
	names := strings.Join(t.Names(), " ")
	fmt.Fprintf(b, `# To use it: source <(%[1]s completion bash)
_%[1]s() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "%[2]s" -- "$word"))
        [ ${#COMPREPLY[@]} -eq 0 ] || return
    fi
    case $before in
        help) COMPREPLY=($(compgen -W "%[2]s" -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "%[3]s" -- "$word")); return ;;
        -c|--select|--order-by|min|max)
            # Not compgen -W, which would run a column named $(…).
            local name list=${word%%"${word##*,}"}
            while IFS= read -r name; do
                [[ $name == "${word#"$list"}"* ]] && COMPREPLY+=("$list$(printf %%q "$name")")
            done < <(%[1]s completion columns "${COMP_WORDS[@]:2}" 2>/dev/null)
            [ ${#COMPREPLY[@]} -gt 0 ] && return ;;
    esac
    case ${COMP_WORDS[1]} in
`, t.Program, names, strings.Join(output.FormatNames(t.Formats), " "))
	for _, c := range t.Rows {
		if c.Print != nil {
			continue
		}
		var flags []string
		for _, f := range command.FlagsOf(c) {
			for _, n := range f.Names {
				flags = append(flags, command.Dashed(n))
			}
		}
		fmt.Fprintf(b, "        %s) flags=\"%s\" ;;\n", c.Name, strings.Join(flags, " "))
	}
	fmt.Fprintf(b, `    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
        *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -F _%[1]s %[1]s
`, t.Program)
}

func zshCompletion(b *strings.Builder, t *command.Table) {
	fmt.Fprintf(b, `#compdef %[1]s
# To use it: source <(%[1]s completion zsh)
_%[1]s_columns() {
    local -a names
    names=("${(@f)$(%[1]s completion columns $words 2>/dev/null)}")
    compset -P '*,'
    compadd -S '' -a names
}
_%[1]s() {
    local -a commands
    commands=(
`, t.Program)
	for _, c := range t.Rows {
		fmt.Fprintf(b, "        %s\n", shellQuote(c.Name+":"+c.Summary))
	}
	b.WriteString(`    )
    if (( CURRENT == 2 )); then
        _describe command commands
        _files
        return
    fi
    local command=${words[2]}
    shift words
    (( CURRENT-- ))
    case $command in
        help) _describe command commands ;;
        completion) _values shell bash zsh fish ;;
`)
	for _, c := range t.Rows {
		if c.Print != nil {
			continue
		}
		fmt.Fprintf(b, "        %s) _arguments", c.Name)
		for _, f := range command.FlagsOf(c) {
			action := ""
			switch {
			case f.Long() == "format":
				action = ":form:(" + strings.Join(output.FormatNames(c.Formats), " ") + ")"
			case f.Long() == "output", f.Long() == "cache", f.Long() == "keys":
				action = ":file:_files"
			case takesColumns(f):
				action = ":columns:_" + t.Program + "_columns"
			case f.Argument != "":
				action = ":" + f.Argument + ": "
			}
			for _, n := range f.Names {
				usage := strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.Usage)
				b.WriteString(" " + shellQuote(command.Dashed(n)+"["+usage+"]"+action))
			}
		}
		b.WriteString(" '*:file:_files' ;;\n")
	}
	fmt.Fprintf(b, "    esac\n}\ncompdef _%[1]s %[1]s\n", t.Program)
}

func fishCompletion(b *strings.Builder, t *command.Table) {
	fmt.Fprintf(b, "# To use it: %s completion fish | source\n", t.Program)
	for _, c := range t.Rows {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", t.Program, c.Name, shellQuote(c.Summary))
	}
	fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from help' -f -a %s\n", t.Program, shellQuote(strings.Join(t.Names(), " ")))
	fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n", t.Program)
	for _, c := range t.Rows {
		for _, f := range command.FlagsOf(c) {
			fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from %s'", t.Program, c.Name)
			for _, n := range f.Names {
				if len(n) == 1 {
					b.WriteString(" -s " + n)
				} else {
					b.WriteString(" -l " + n)
				}
			}
			switch {
			case f.Long() == "format":
				b.WriteString(" -x -a " + shellQuote(strings.Join(output.FormatNames(c.Formats), " ")))
			case f.Long() == "output":
				b.WriteString(" -r")
			case takesColumns(f):
				b.WriteString(" -x -a '(" + t.Program + " completion columns (commandline -opc) 2>/dev/null)'")
			case f.Argument != "":
				b.WriteString(" -x")
			}
			fmt.Fprintf(b, " -d %s\n", shellQuote(f.Usage))
		}
	}
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
