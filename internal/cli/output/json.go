package output

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// jsonRows writes an object a row: a line each, or all of them as one array.
type jsonRows struct {
	r       *Report
	out     table.Lines
	objects *vector.Rows
}

func newJSONRows(r *Report) (RowWriter, error) {
	return &jsonRows{r: r, out: table.Lines{To: r}}, nil
}

func (w *jsonRows) Columns(_ string, fields []vector.Field) error {
	w.objects = vector.JSONRows(fields)
	return nil
}

func (w *jsonRows) Rows(b *vector.Batch, from, to int) error {
	w.objects.Use(b)
	array := w.r.Format.Name == formatJSON
	for i := from; i < to; i++ {
		if array {
			w.out.Buf = append(w.out.Buf, w.r.separator()...)
		}
		var err error
		if w.out.Buf, err = w.objects.Append(w.out.Buf, i); err != nil {
			return err
		}
		if !array {
			w.out.Buf = append(w.out.Buf, '\n')
		}
		if err := w.out.Break(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

func (w *jsonRows) Finish() error { return nil }
