package command

import (
	"errors"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/fault"
)

// Where is the condition of --where.
type Where struct {
	Text  string
	given bool
	Expr  *filter.Expr // nil: every row passes
}

func (w *Where) Set(text string) error {
	if w.given {
		return errors.New("it is given twice; AND and OR join conditions")
	}
	w.Text, w.given = text, true
	return nil
}

// parse reads the condition, if there is one.
func (w *Where) parse() (err error) {
	if w.given {
		w.Expr, err = filter.Parse(w.Text)
	}
	return w.Explain("", err)
}

// Explain turns an error about the condition, by itself or for a file, into one
// about the command line, with a picture of the place in the text.
func (w *Where) Explain(file string, err error) error {
	var wrong *filter.Error
	if !errors.As(err, &wrong) {
		return err
	}
	what := "--where: " + wrong.Msg
	if file != "" {
		what = file + ": " + what
	}
	usage := &fault.UsageError{What: what, Command: "where"}
	if w.Text != "" {
		usage.Picture = wrong.Caret(w.Text)
	}
	return usage
}

// AboutWhere is what help says of --where.
const AboutWhere = `
The condition of --where is that of SQL: AND, OR, NOT, =, <>, <, IN, BETWEEN, LIKE,
IS NULL, ~ for regular expressions; a.b for fields, ANY(list), map['key']; 'text', 12.5,
DATE '2024-01-31', now() - INTERVAL '1 day'. Its grammar is in: help where. It may ask
columns that are not shown, and those that folders like year=2024 stand for: files that
these exclude are not opened.
`
