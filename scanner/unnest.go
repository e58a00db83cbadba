package scanner

import (
	"errors"
	"slices"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// unnesting turns each item of a list into a row.
type unnesting struct {
	lists int       // on the way to the items
	items int       // a column whose way leads through all of them
	parts []itemWay // by column; columns of rows have no way
}

// itemWay is the way to a part of items, in the vector of a column.
type itemWay struct {
	way   *assemble.Way // nil: none
	lists int           // which it leads through
}

// addUnnesting lets the columns of outs that are parts of items have these. If none of them is
// the end of the path, or a part of it, the end is added as a column before those of RowNumber
// and FileName.
func (s *scan) addUnnesting(outs []project.Output, path []*schema.Node) error {
	last := path[len(path)-1]
	if !project.IsList(last) && last.MaxRep == 0 {
		return s.file.wrap(-1, last.String(), -1, errors.New("nothing to unnest: it is no list, and in none"))
	}
	s.unnest = &unnesting{items: -1, parts: make([]itemWay, len(outs), len(outs)+1)}
	for _, n := range path {
		if project.IsList(n) {
			s.unnest.lists++
		}
	}
	for i, out := range outs {
		if out.ItemPath == nil {
			continue
		}
		if err := s.addItemWay(i, out.ItemPath, path); err != nil {
			return err
		}
		if len(out.ItemPath) >= len(path) && slices.Equal(out.ItemPath[:len(path)], path) {
			s.unnest.items = i
		}
	}
	if s.unnest.items >= 0 {
		return nil
	}
	at := len(s.columns)
	origins := slices.Clone(s.fields[at:])
	s.fields = s.fields[:at:at]
	column, _, err := s.newColumn(project.Output{Projected: project.Along(path)})
	if err != nil {
		return err
	}
	way, ok := column.nesting.plan.Way(last)
	if !ok {
		return s.file.wrap(-1, last.String(), -1, errors.New("cannot be unnested"))
	}
	s.addColumn(column, way.Field())
	s.unnest.items, s.unnest.parts = at, append(s.unnest.parts, itemWay{&way, s.unnest.lists})
	s.fields = append(s.fields, origins...)
	return nil
}

// addItemWay makes column i the part of items that a path leads to, given the path that is
// unnested.
func (s *scan) addItemWay(i int, path, unnested []*schema.Node) error {
	part := itemWay{lists: project.ListsShared(path, unnested)}
	way, ok := assemble.Way{}, false
	if plan := s.columns[i].nesting.plan; slices.Equal(path, unnested) {
		part.lists = s.unnest.lists
		way, ok = plan.Way(path[len(path)-1])
	} else {
		way, ok = plan.WayTo(endOfPart(path, part.lists))
	}
	if !ok {
		return s.file.wrap(-1, s.columns[i].name(), -1, errors.New("cannot be unnested"))
	}
	part.way = &way
	s.unnest.parts[i] = part
	s.fields[i] = way.Field()
	s.fields[i].Name = project.ItemName(path)
	return nil
}

// endOfPart returns the node on a path whose values are a column beside unnested items: the
// last one, or a list in front of it that is not among the first lists of the path.
func endOfPart(path []*schema.Node, lists int) *schema.Node {
	for _, n := range path {
		if project.IsList(n) {
			if lists--; lists < 0 {
				return n
			}
		}
	}
	return path[len(path)-1]
}

// apply replaces the rows of b by a row for each item.
func (u *unnesting) apply(b *vector.Batch) {
	items, offsets := u.parts[u.items].way.Unnest(b.Columns[u.items])
	for i, v := range b.Columns {
		part := itemWay{}
		if i < len(u.parts) {
			part = u.parts[i]
		}
		switch {
		case i == u.items:
			b.Columns[i] = items
			continue
		case part.way != nil:
			v, _ = part.way.Unnest(v)
		}
		if part.lists < u.lists {
			v = assemble.Repeat(v, offsets[part.lists])
		}
		b.Columns[i] = v
	}
	b.Len = int(offsets[0][len(offsets[0])-1])
}
