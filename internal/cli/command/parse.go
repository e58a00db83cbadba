package command

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

// parseAnywhere parses flags that stand before, between and after other
// arguments, and returns these. After "--" there are no flags.
func parseAnywhere(cmd *Command, fs *flag.FlagSet, args []string) (others []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			rest := fs.Args() // what stands behind the flag with the fault
			if !strings.HasPrefix(err.Error(), undefinedFlag) || !cmd.abbreviated(fs, args[len(args)-len(rest)-1]) {
				return nil, err
			}
			args = rest
			continue
		}
		rest := fs.Args()
		if parsed := len(args) - len(rest); len(rest) == 0 || parsed > 0 && args[parsed-1] == "--" {
			return append(others, rest...), nil
		}
		others = append(others, rest[0])
		args = rest[1:]
	}
}

// undefinedFlag begins package flag's error for a flag that is not declared. Its
// name follows, and in the arguments it is the last that was taken.
const undefinedFlag = "flag provided but not defined: -"

// abbreviated sets the flag that an argument is short for, if it is: -5 and -n5
// for -n 5, as head of Unix takes them, and --csv for --format csv.
func (cmd *Command) abbreviated(fs *flag.FlagSet, arg string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if slices.Contains(output.FormatNames(cmd.Formats), name) {
		return fs.Set("format", name) == nil
	}
	digits := strings.TrimPrefix(name, "n")
	_, err := strconv.ParseUint(digits, 10, 63)
	return err == nil && !strings.HasPrefix(arg, "--") && fs.Lookup("n") != nil && fs.Set("n", digits) == nil
}

// explainFlag rewrites an error of package flag. It says why a shared flag has no
// meaning for a command, or which flag may have been meant.
func explainFlag(cmd *Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), undefinedFlag)
	if !unknown {
		for _, before := range []string{" for flag -", "flag needs an argument: -"} {
			if front, behind, found := strings.Cut(err.Error(), before); found {
				name, _, _ := strings.Cut(behind, ":")
				return errors.New(front + strings.TrimSuffix(before, "-") + Dashed(name) + behind[len(name):])
			}
		}
		return err
	}
	if why := cmd.whyNoFlag(name); why != "" {
		return errors.New(why)
	}
	var known []string
	for _, f := range FlagsOf(cmd) {
		known = append(known, f.Names...)
	}
	near := ourWord(flagsOfOthers, name)
	if !slices.Contains(known, near) {
		near = fault.Nearest(name, known)
	}
	if near != "" {
		return fmt.Errorf("no flag %s; did you mean %s?", Dashed(name), Dashed(near))
	}
	return fmt.Errorf("no flag %s", Dashed(name))
}

// whyNoFlag returns why a flag that other commands share is none of this one; ""
// for other flags.
func (cmd *Command) whyNoFlag(name string) string {
	if cmd.Prepare != nil {
		return ""
	}
	switch name {
	case "w", "where":
		if cmd.Layout {
			return "--where chooses rows; " + cmd.Name + " shows what the file is made of, not its rows"
		}
		return Dashed(name) + " has no meaning here"
	case "c", "select", "n", "limit", "row-group":
		return Dashed(name) + " has no meaning here"
	}
	return ""
}

// Parse reads the flags that follow the command's name, and returns the other arguments: those that
// are files, or all of a command with Prepare.
func Parse(cmd *Command, args []string) (*Options, []string, error) {
	o := &Options{Limit: -1, RowGroup: -1, Page: -1}
	fs := newFlagSet(cmd)
	cmd.declare(o, fs)
	files, err := parseAnywhere(cmd, fs, args)
	if err != nil {
		return nil, nil, explainFlag(cmd, err)
	}
	if err := o.Where.Parse(); err != nil {
		return nil, nil, err
	}
	if err := cmd.chooseFormat(o); err != nil {
		return nil, nil, err
	}
	if cmd.Prepare != nil {
		return o, files, nil
	}
	if cmd.Arguments != nil {
		if files, err = cmd.Arguments(o, files); err != nil {
			return nil, nil, err
		}
	}
	if len(files) == 0 {
		return nil, nil, errors.New("which file?")
	}
	return o, files, nil
}

// chooseFormat checks the format that was asked for, or takes it from the name of the output.
func (cmd *Command) chooseFormat(o *Options) (err error) {
	if o.Output == output.ToStdout {
		o.Output = ""
	}
	if known := output.FormatNames(cmd.Formats); o.Format != "" && !slices.Contains(known, o.Format) {
		return fmt.Errorf("no format %q, only %s", o.Format, strings.Join(known, ", "))
	}
	if o.Format == "" && o.Output != "" {
		o.Format, err = output.FormatOf(cmd.Formats, o.Output, cmd.Rows)
	}
	return err
}
