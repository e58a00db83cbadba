package cli

import (
	"fmt"
	"io"
	"strings"
)

// completion writes a script for the shell: commands, then the flags of the
// command at hand, else files.
func completion(w io.Writer, args []string) error {
	if len(args) != 1 {
		return &usageError{command: "completion", what: "completion: for which shell? bash, zsh or fish"}
	}
	var b strings.Builder
	switch args[0] {
	case "bash":
		bashCompletion(&b)
	case "zsh":
		zshCompletion(&b)
	case "fish":
		fishCompletion(&b)
	default:
		return &usageError{command: "completion", what: fmt.Sprintf("completion: no shell %q, only bash, zsh and fish", args[0])}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func bashCompletion(b *strings.Builder) {
	fmt.Fprintf(b, `# To use it: source <(scan completion bash)
_scan() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "%s" -- "$word"))
        return
    fi
    case $before in
        help) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;
    esac
    case ${COMP_WORDS[1]} in
`, strings.Join(commandNames(), " "), strings.Join(commandNames(), " "), strings.Join(rowFormats[:], " "))
	for _, c := range commands() {
		var flags []string
		for _, f := range flagsOf(c) {
			for _, n := range f.names {
				flags = append(flags, dashed(n))
			}
		}
		fmt.Fprintf(b, "        %s) flags=\"%s\" ;;\n", c.name, strings.Join(flags, " "))
	}
	b.WriteString(`    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
        *) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -F _scan scan
`)
}

func zshCompletion(b *strings.Builder) {
	b.WriteString(`#compdef scan
# To use it: source <(scan completion zsh)
_scan() {
    local -a commands
    commands=(
`)
	for _, c := range commands() {
		fmt.Fprintf(b, "        %s\n", shellQuote(c.name+":"+c.summary))
	}
	for _, c := range builtins {
		fmt.Fprintf(b, "        %s\n", shellQuote(c.name+":"+c.summary))
	}
	b.WriteString(`    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=${words[2]}
    shift words
    (( CURRENT-- ))
    case $command in
        help) _describe command commands ;;
        completion) _values shell bash zsh fish ;;
`)
	for _, c := range commands() {
		fmt.Fprintf(b, "        %s) _arguments", c.name)
		for _, f := range flagsOf(c) {
			action := ""
			switch {
			case f.long() == "format":
				action = ":form:(" + strings.Join(c.formats(), " ") + ")"
			case f.long() == "output":
				action = ":file:_files"
			case f.argument != "":
				action = ":" + f.argument + ": "
			}
			for _, n := range f.names {
				usage := strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.usage)
				b.WriteString(" " + shellQuote(dashed(n)+"["+usage+"]"+action))
			}
		}
		b.WriteString(" '*:file:_files' ;;\n")
	}
	b.WriteString("    esac\n}\ncompdef _scan scan\n")
}

func fishCompletion(b *strings.Builder) {
	b.WriteString("# To use it: scan completion fish | source\n")
	first := func(name, summary string) {
		fmt.Fprintf(b, "complete -c scan -n __fish_use_subcommand -f -a %s -d %s\n", name, shellQuote(summary))
	}
	for _, c := range commands() {
		first(c.name, c.summary)
	}
	for _, c := range builtins {
		first(c.name, c.summary)
	}
	fmt.Fprintf(b, "complete -c scan -n '__fish_seen_subcommand_from help' -f -a %s\n", shellQuote(strings.Join(commandNames(), " ")))
	b.WriteString("complete -c scan -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n")
	for _, c := range commands() {
		for _, f := range flagsOf(c) {
			fmt.Fprintf(b, "complete -c scan -n '__fish_seen_subcommand_from %s'", c.name)
			for _, n := range f.names {
				if len(n) == 1 {
					b.WriteString(" -s " + n)
				} else {
					b.WriteString(" -l " + n)
				}
			}
			switch {
			case f.long() == "format":
				b.WriteString(" -x -a " + shellQuote(strings.Join(c.formats(), " ")))
			case f.long() == "output":
				b.WriteString(" -r")
			case f.argument != "":
				b.WriteString(" -x")
			}
			fmt.Fprintf(b, " -d %s\n", shellQuote(f.usage))
		}
	}
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
