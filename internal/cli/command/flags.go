package command

import (
	"errors"
	"flag"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
)

// Path returns what reads the path of one column.
func Path(to *string) func(string) error {
	return func(s string) error {
		if _, err := schema.ParsePath(s); err != nil {
			return err
		}
		*to = s
		return nil
	}
}

// Number returns what reads a number from 0 on, of so many bits.
func Number[T int | int64](to *T, bits int) func(string) error {
	return func(s string) error {
		n, err := strconv.ParseUint(s, 10, bits)
		if err != nil {
			return errors.New("want a number from 0 on")
		}
		*to = T(n)
		return nil
	}
}

// both declares a flag under its short and its long name.
func both(fs *flag.FlagSet, short, long, usage string, set func(string) error) {
	fs.Func(short, usage, set)
	fs.Func(long, usage, set)
}

// SetOrder reads the path of --order-by, with ASC or DESC behind it.
func (o *rowsOptions) SetOrder(text string) error {
	path, descending := strings.TrimSpace(text), false
	if i := strings.LastIndexByte(path, ' '); i > 0 {
		switch direction := strings.ToUpper(path[i+1:]); direction {
		case "ASC", "DESC":
			path, descending = strings.TrimSpace(path[:i]), direction == "DESC"
		}
	}
	names, err := schema.ParsePath(path)
	if err != nil {
		return err
	}
	if last := names[len(names)-1]; strings.Contains(last, ",") && !strings.HasSuffix(path, `"`) {
		return errors.New("rows are ordered by one path, so without a comma; a name that has one stands in double quotes")
	}
	o.Order.By, o.Order.Descending = path, descending
	return nil
}
