package command

import (
	"errors"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner"
)

// orderFlag is the column of --order-by.
type orderFlag scanner.Order

// Set reads a path, with ASC or DESC behind it.
func (f *orderFlag) Set(text string) error {
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
	*f = orderFlag{By: path, Descending: descending}
	return nil
}

func (f *orderFlag) String() string { return "" }
