package cli

import (
	"errors"

	"github.com/winnow-scan/winnow/filter"
)

// where is the condition of --where.
type where struct {
	text  string
	given bool
	expr  *filter.Expr // nil: every row passes
}

func (w *where) Set(text string) error {
	if w.given {
		return errors.New("it is given twice; AND and OR join conditions")
	}
	w.text, w.given = text, true
	return nil
}
func (w *where) String() string { return "" }

// parse reads the condition, if there is one.
func (w *where) parse() (err error) {
	if w.given {
		w.expr, err = filter.Parse(w.text)
	}
	return w.explain("", err)
}

// explain turns an error about the condition, by itself or for a file, into one
// about the command line, with a picture of the place in the text.
func (w *where) explain(file string, err error) error {
	var wrong *filter.Error
	if !errors.As(err, &wrong) {
		return err
	}
	what := "--where: " + wrong.Msg
	if file != "" {
		what = file + ": " + what
	}
	usage := &usageError{what: what, command: "where"}
	if w.text != "" {
		usage.picture = wrong.Caret(w.text)
	}
	return usage
}

const aboutWhere = `
The condition of --where is that of SQL: AND, OR, NOT, =, <>, <, IN, BETWEEN, LIKE,
IS NULL, ~ for regular expressions; a.b for fields, ANY(list), map['key']; 'text', 12.5,
DATE '2024-01-31', now() - INTERVAL '1 day'. Its grammar is in: help where. It may ask
columns that are not shown, and those that folders like year=2024 stand for: files that
these exclude are not opened.
`
