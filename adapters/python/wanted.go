package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
)

// setWanted makes the columns of a scan those of the query's schema, or of it those that the query names.
func (s *scan) setWanted(q *query) error {
	if q.Schema == nil {
		return nil
	}
	r, err := ipc.NewReader(bytes.NewReader(q.Schema))
	if err != nil {
		return optionsError("schema: " + err.Error())
	}
	defer r.Release()
	all := r.Schema().Fields()
	fields := all
	if q.Columns != nil {
		fields = nil
	}
	for _, path := range q.Columns {
		i := slices.IndexFunc(all, func(f arrow.Field) bool { return f.Name == path || quote(f.Name) == path })
		if i < 0 {
			return fmt.Errorf("%w: no column %s in the schema", scanner.ErrNoColumn, path)
		}
		fields = append(fields, all[i])
	}
	s.wanted = arrow.NewSchema(fields, nil)
	s.options.Select, s.options.By = nil, scanner.ByName // min and max take files' names
	if s.options.Want, _, err = arrowscan.Want(s.wanted); err != nil {
		return optionsError("schema: " + err.Error())
	}
	return nil
}

// wantedReader returns the records of a scan with a schema of its own.
func (s *scan) wantedReader(ctx context.Context, table scanner.Table) (*arrowscan.Reader, error) {
	r, err := s.reader(ctx, table, s.wanted)
	if err != nil {
		return nil, err
	}
	for i, f := range r.Schema().Fields() {
		want := s.wanted.Field(i).Type
		_, isBytes := f.Type.(arrow.BinaryDataType) // of which a scan has one layout
		_, wantsBytes := want.(arrow.BinaryDataType)
		if !sameType(f.Type, want) && !(isBytes && wantsBytes) {
			r.Release()
			return nil, fmt.Errorf("column %q %w: it comes as %s, and the schema has %s", f.Name, scanner.ErrMismatch, f.Type, want)
		}
	}
	return r, nil
}
