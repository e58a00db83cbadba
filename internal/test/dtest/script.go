package dtest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

const fence = "----"

// A Case is one command of a script.
type Case struct {
	Place  string // file:line of the command
	Cmd    string
	Input  string // with its final newline, "" if there is none
	Output string // what the script expects

	args []arg
	line string
}

type arg struct {
	key    string
	values []string
}

// Has says whether the argument was given, with or without a value.
func (c *Case) Has(key string) bool {
	for _, a := range c.args {
		if a.key == key {
			return true
		}
	}
	return false
}

// Strings returns the values of an argument, nil if it was not given.
func (c *Case) Strings(key string) []string {
	for _, a := range c.args {
		if a.key == key {
			return a.values
		}
	}
	return nil
}

// String returns the value of an argument, or what stands in for it.
func (c *Case) String(key, absent string) string {
	if v := c.Strings(key); len(v) > 0 {
		return strings.Join(v, ", ")
	}
	return absent
}

// Int returns the value of an argument, or what stands in for it.
func (c *Case) Int(t testing.TB, key string, absent int) int {
	t.Helper()
	s := c.String(key, "")
	if s == "" {
		return absent
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("%s: %s: %v", c.Place, key, err)
	}
	return n
}

// Hex returns the input as bytes. Blanks are free, # starts a comment.
func (c *Case) Hex(t testing.TB) []byte {
	t.Helper()
	var out []byte
	for _, line := range strings.Split(c.Input, "\n") {
		line, _, _ = strings.Cut(line, "#")
		digits := strings.Join(strings.Fields(line), "")
		for ; digits != ""; digits = digits[2:] {
			if len(digits) == 1 {
				t.Fatalf("%s: half a byte of hex", c.Place)
			}
			b, err := strconv.ParseUint(digits[:2], 16, 8)
			if err != nil {
				t.Fatalf("%s: %v", c.Place, err)
			}
			out = append(out, byte(b))
		}
	}
	return out
}

// A part is text that a rewrite keeps, and the case whose output follows it, if any.
type part struct {
	verbatim string
	c        *Case
}

func parse(name, text string) ([]part, error) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	} else {
		lines[len(lines)-1] += "\n"
	}
	var parts []part
	at := 0
	for at < len(lines) {
		if s := strings.TrimSpace(lines[at]); s == "" || s[0] == '#' {
			parts = append(parts, part{verbatim: lines[at]})
			at++
			continue
		}
		c, err := parseCommand(lines[at])
		c.Place = fmt.Sprintf("%s:%d", name, at+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Place, err)
		}
		head := lines[at]
		for at++; at < len(lines) && lines[at] != fence+"\n"; at++ {
			c.Input += lines[at]
			head += lines[at]
		}
		if at == len(lines) {
			return nil, fmt.Errorf("%s: no line %s", c.Place, fence)
		}
		head += lines[at]
		at++
		var ok bool
		if c.Output, at, ok = output(lines, at); !ok {
			return nil, fmt.Errorf("%s: no two lines %s end the output; a new case ends with one such line, and -rewrite writes the rest", c.Place, fence)
		}
		parts = append(parts, part{verbatim: head, c: c})
	}
	return parts, nil
}

// output reads the output that starts at line at, and returns where it ends.
func output(lines []string, at int) (out string, end int, ok bool) {
	if at == len(lines) || lines[at] != fence+"\n" {
		for ; at < len(lines) && lines[at] != "\n"; at++ {
			out += lines[at]
		}
		return out, at, true
	}
	for at++; at+1 < len(lines); at++ {
		if lines[at] == fence+"\n" && lines[at+1] == fence+"\n" {
			return out, at + 2, true
		}
		out += lines[at]
	}
	return "", at, false
}

// render is the text behind the "----" of a case that makes parse read out. An
// output that holds lines of the script's own fences cannot be written; the
// next run fails over it.
func render(out string) string {
	if strings.HasPrefix(out, "\n") || strings.Contains(out, "\n\n") {
		return fence + "\n" + out + fence + "\n" + fence + "\n"
	}
	return out
}

func withNewline(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// parseCommand reads: command key key=value key=(value, value)
func parseCommand(line string) (*Case, error) {
	line = strings.TrimSpace(line)
	c := &Case{line: line}
	c.Cmd, line, _ = strings.Cut(line, " ")
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := strings.IndexAny(line, " =")
		if end < 0 {
			end = len(line)
		}
		a := arg{key: line[:end]}
		if line = line[end:]; strings.HasPrefix(line, "=(") {
			list, rest, found := strings.Cut(line[2:], ")")
			if !found {
				return c, fmt.Errorf("argument %s: no closing bracket", a.key)
			}
			for _, v := range strings.Split(list, ",") {
				a.values = append(a.values, strings.TrimSpace(v))
			}
			line = rest
		} else if strings.HasPrefix(line, "=") {
			v, rest, _ := strings.Cut(line[1:], " ")
			a.values, line = []string{v}, rest
		}
		if c.Has(a.key) {
			return c, fmt.Errorf("argument %s: given twice", a.key)
		}
		c.args = append(c.args, a)
	}
	return c, nil
}
