package command

import (
	"errors"
	"flag"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
)

// ColumnPath is a flag for one column.
type ColumnPath string

func (p *ColumnPath) Set(s string) error {
	if _, err := schema.ParsePath(s); err != nil {
		return err
	}
	*p = ColumnPath(s)
	return nil
}

func (p *ColumnPath) String() string { return "" }

// IntFlag is a number from 0 on.
type IntFlag int

func (f *IntFlag) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*f = IntFlag(n)
	return nil
}

func (f *IntFlag) String() string { return "" }

// Int64Flag is a number of rows from 0 on.
type Int64Flag int64

func (f *Int64Flag) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return errors.New("want a number from 0 on")
	}
	*f = Int64Flag(n)
	return nil
}

func (f *Int64Flag) String() string { return "" }

// both declares a flag under its short and its long name.
func both(fs *flag.FlagSet, short, long string, v flag.Value, usage string) {
	fs.Var(v, short, usage)
	fs.Var(v, long, usage)
}
