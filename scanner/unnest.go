package scanner

import (
	"errors"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// unnesting turns each item of a list into a row.
type unnesting struct {
	column int // index of the list
	way    assemble.Way
}

// addUnnesting adds the unnested list as a column, before those of RowNumber and FileName.
func (s *scan) addUnnesting() error {
	steps, err := s.file.steps(s.opts.Unnest, &s.opts)
	if err != nil {
		return err
	}
	last := steps[len(steps)-1]
	inList := last.Kind == schema.List || last.Kind == schema.Map || last.MaxRep > 0
	if !inList {
		return s.file.wrap(-1, last.String(), -1, errors.New("nothing to unnest: it is no list, and in none"))
	}
	numbers := s.fields[len(s.columns):]
	s.fields = append([]vector.Field(nil), s.fields[:len(s.columns)]...)
	at := len(s.columns)
	column, err := s.newColumn(project.Output{Part: project.PartOf(steps)})
	if err != nil {
		return err
	}
	s.addColumn(column)
	way, ok := s.columns[at].plan.Way(last)
	if !ok {
		return s.file.wrap(-1, last.String(), -1, errors.New("cannot be unnested"))
	}
	s.unnest = &unnesting{at, way}
	s.fields[at] = way.Field()
	s.fields = append(s.fields, numbers...)
	return nil
}

// apply replaces the rows of b by a row for each item.
func (u *unnesting) apply(b *vector.Batch) {
	list := b.Columns[u.column]
	items, offsets := u.way.Unnest(list)
	for i, v := range b.Columns {
		if i == u.column {
			b.Columns[i] = items
		} else {
			b.Columns[i] = assemble.Repeat(v, offsets)
		}
	}
	b.Len = int(offsets[len(offsets)-1])
}
