package main

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// reader returns the records of a scan of a table, with the requested types if the scan can
// convert to them. Arrow's protocol leaves the rest of the way to the caller: where the scan
// cannot, the records have types of its own, of which only the layout of strings is as requested.
func (s *scan) reader(ctx context.Context, table scanner.Table, requested *arrow.Schema) (*arrowscan.Reader, error) {
	if requested == nil && s.wanted != nil {
		return s.wantedReader(ctx, table)
	}
	options, o := s.options, s.arrow
	if s.anyStrings {
		options.Dictionaries = s.dictionaries(ctx, table)
	}
	own, err := arrowscan.NewReader(ctx, table, options, o)
	if err != nil || requested == nil || sameTypes(own.Schema(), requested) {
		return own, err
	}
	defer own.Release()
	if err := sameNames(own.Schema(), requested); err != nil {
		return nil, err
	}
	options.Dictionaries = maps.Collect(maps.All(options.Dictionaries))
	for _, f := range requested.Fields() {
		layOut(f.Type, &o)
		if f.Type.ID() == arrow.DICTIONARY {
			options.Dictionaries[quote(f.Name)] = vector.DictionaryAlways
		}
	}
	r, err := arrowscan.NewReader(ctx, table, options, o)
	if err == nil && !sameTypes(r.Schema(), requested) && !o.IgnoreStored {
		o.IgnoreStored = true
		r.Release()
		r, err = arrowscan.NewReader(ctx, table, options, o)
	}
	if err != nil {
		own.Retain()
		return own, nil
	}
	if sameTypes(r.Schema(), requested) || options.RowNumber != "" || options.FileName != "" {
		return r, nil
	}
	if options.Want, options.By, err = arrowscan.Want(requested); err != nil {
		return r, nil
	}
	options.Select = nil
	converted, err := arrowscan.NewReader(ctx, table, options, o)
	if err != nil {
		return r, nil
	}
	if !sameTypes(converted.Schema(), requested) {
		converted.Release()
		return r, nil
	}
	r.Release()
	return converted, nil
}

// dictionaries returns the dictionaries of a scan's options and, for consumers that know dictionaries, the columns of strings
// that are such in the whole first file. A dictionary of more bytes than codes may have more entries than a batch has rows.
func (s *scan) dictionaries(ctx context.Context, table scanner.Table) map[string]vector.DictionaryUse {
	uses := maps.Collect(maps.All(s.options.Dictionaries))
	f, alone := table.(*scanner.File)
	if !alone {
		var err error
		if f, err = s.open(ctx, s.files.Names()[0]); err != nil {
			return uses // the scan tells
		}
		defer f.Close()
	}
	paths := s.options.Select
	if paths == nil {
		for _, node := range f.Schema().Root().Children {
			paths = append(paths, quote(node.Name))
		}
	}
	for _, path := range paths {
		node, err := f.Schema().Lookup(path)
		all := err == nil && node.Parent == f.Schema().Root() && node.Type.Logical == vector.String && node.MaxRep == 0
		for group := 0; all && group < len(f.Footer().RowGroups); group++ {
			c, err := f.Chunk(group, node.FirstLeaf)
			all = err == nil && c.Meta.AllDictionary() && c.Meta.DataPageOffset-c.Meta.DictionaryOffset <= c.Meta.CompressedSize/2
		}
		if all {
			uses[path] = vector.DictionaryAlways
		}
	}
	return uses
}

// sameNames returns an error if two schemas differ in the names of their columns, which no
// conversion of values mends.
func sameNames(own, requested *arrow.Schema) error {
	if own.NumFields() != requested.NumFields() {
		return optionsError(fmt.Sprintf("the requested schema has %d columns, the scan %d", requested.NumFields(), own.NumFields()))
	}
	for i, f := range own.Fields() {
		if name := requested.Field(i).Name; name != f.Name {
			return optionsError(fmt.Sprintf("column %d of the requested schema is %q, of the scan %q", i, name, f.Name))
		}
	}
	return nil
}

// sameTypes compares types, but neither metadata, nor which fields may be NULL, nor the names of
// items of lists and maps.
func sameTypes(a, b *arrow.Schema) bool {
	return sameType(arrow.StructOf(a.Fields()...), arrow.StructOf(b.Fields()...))
}

func sameType(a, b arrow.DataType) bool {
	if a.ID() != b.ID() {
		return false
	}
	if d, ok := a.(*arrow.DictionaryType); ok {
		e := b.(*arrow.DictionaryType)
		return sameType(d.IndexType, e.IndexType) && sameType(d.ValueType, e.ValueType)
	}
	nested, ok := a.(arrow.NestedType)
	if !ok {
		return arrow.TypeEqual(a, b)
	}
	these, those := nested.Fields(), b.(arrow.NestedType).Fields()
	if len(these) != len(those) {
		return false
	}
	for i := range these {
		if a.ID() == arrow.STRUCT && these[i].Name != those[i].Name || !sameType(these[i].Type, those[i].Type) {
			return false
		}
	}
	if f, ok := a.(*arrow.FixedSizeListType); ok {
		return f.Len() == b.(*arrow.FixedSizeListType).Len()
	}
	return true
}

// layOut sets the layout of strings to that of a requested type, if it has strings.
func layOut(t arrow.DataType, o *arrowscan.Options) {
	switch t := t.(type) {
	case arrow.ExtensionType:
		o.PlainTypes = false
		layOut(t.StorageType(), o)
	case *arrow.DictionaryType:
		layOut(t.ValueType, o)
	case *arrow.StringType, *arrow.BinaryType:
		o.Strings = arrowscan.Offsets
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		o.Strings = arrowscan.LargeOffsets
	case *arrow.StringViewType, *arrow.BinaryViewType:
		o.Strings = arrowscan.Views
	case arrow.NestedType:
		for _, f := range t.Fields() {
			layOut(f.Type, o)
		}
	}
}

// quote returns the path of the column with a name.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
