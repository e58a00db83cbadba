package main

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
)

// texts returns all rows as texts, nil for NULL, for people. The scan's counters leave them out.
func (s *scan) texts(ctx context.Context) ([][]*string, error) {
	o := s.options
	o.Stats, o.Trace, o.Threads = nil, nil, 1
	fields, err := s.files.Fields(ctx, o)
	if err != nil {
		return nil, err
	}
	rows, texts := [][]*string{}, make([]*vector.Slots, len(fields))
	for i := range fields {
		texts[i] = fields[i].Text()
	}
	for batch, err := range s.files.Scan(ctx, o) {
		if err != nil {
			return nil, err
		}
		for row := range batch.Len {
			cells := make([]*string, len(texts))
			for i, v := range batch.Columns {
				if texts[i].Use(v); !v.IsNull(row) {
					text, err := texts[i].Append(nil, row)
					if err != nil {
						return nil, err
					}
					cells[i] = new(string(text))
				}
			}
			rows = append(rows, cells)
		}
	}
	return rows, nil
}
