package dataset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/thrift"
)

// Union is the columns of several files as those of one table, see the package's text: all that any file has, in
// the order in which files have them first. Of several columns of one name, the first is one with
// the first of other files, and so on. The zero Union has no files. Add is for one goroutine at a time.
type Union struct {
	file      string // the first
	root      united
	conflicts map[string]error // by the name of a column without a common type
}

// united is a column, a part of one, or the root.
type united struct {
	vector.Field // without Children
	types        []vector.Type
	by           []string // the first file that has each type
	files        int      // how many have it
	parts        []*united
	byName       map[string][]*united // parts
}

// Add adds the columns of a file, as File.Fields returns them. name is the file's, for errors.
func (u *Union) Add(name string, fields []vector.Field) {
	if u.conflicts == nil {
		u.file, u.root.Layout, u.conflicts = name, vector.Struct, map[string]error{}
	}
	u.add(&u.root, name, nil, &vector.Field{Layout: vector.Struct, Children: fields})
}

// add adds a file's column, or a part of one, at a path.
func (u *Union) add(x *united, file string, path []string, f *vector.Field) {
	x.files++
	isEmpty := f.Layout == vector.Leaf && f.Type.Logical == vector.Null
	if x.Nullable = x.Nullable || f.Nullable || isEmpty; isEmpty {
		return
	}
	if len(x.types) == 0 { // the files before have nothing but NULL
		x.Layout, x.Type, x.CRS, x.Edges = f.Layout, f.Type, f.CRS, f.Edges
	}
	wider, ok := x.Type, true
	if !slices.Contains(x.types, f.Type) {
		x.types, x.by = append(x.types, f.Type), append(x.by, file)
		wider, ok = project.Wider(x.types...)
	}
	isSame := f.Layout == x.Layout && f.CRS == x.CRS && f.Edges == x.Edges && (x.Layout == vector.Struct || x.parts == nil || len(x.parts) == len(f.Children))
	if !ok || !isSame {
		other := 0
		for i, t := range x.types {
			if _, ok := project.Wider(t, f.Type); !ok {
				other = i
			}
		}
		u.refuse(file, path, fmt.Sprintf("%s here and %s in %s have no common type that loses nothing: select other columns, or read the files apart",
			project.Described(f.Layout, f.Type), project.Described(x.Layout, x.types[other]), x.by[other]))
		return
	}
	x.Type = wider
	u.addParts(x, file, path, f.Children)
}

// refuse makes the column with a path an error of scans that select it.
func (u *Union) refuse(file string, path []string, why string) {
	if u.conflicts[path[0]] == nil {
		u.conflicts[path[0]] = mismatch(file, &project.Mismatch{Path: path, What: why})
	}
}

// addParts adds the columns of a file, the fields of a struct, or what a list or map has.
func (u *Union) addParts(x *united, file string, path []string, fields []vector.Field) {
	if x.byName == nil {
		x.byName = map[string][]*united{}
	}
	here, seen := byName(fields), map[string]int{}
	isLacked := len(x.parts) > 0 || x == &u.root && x.files > 1 // by files before, where these are new
	for _, p := range x.parts {
		if n, before := len(here[p.Name]), len(x.byName[p.Name]); n == 0 {
			p.Nullable = true
		} else if n != before {
			u.refuse(file, append(path, p.Name), fmt.Sprintf("columns of this name: %d, in files before %d, so none is surely one of these", n, before))
		}
	}
	for i := range fields {
		f := &fields[i]
		n := seen[f.Name]
		if seen[f.Name]++; n == len(x.byName[f.Name]) {
			p := &united{Field: *f}
			p.Children, p.Nullable = nil, isLacked
			x.parts, x.byName[f.Name] = append(x.parts, p), append(x.byName[f.Name], p)
		}
		u.add(x.byName[f.Name][n], file, append(path[:len(path):len(path)], f.Name), f)
	}
}

// whole returns the field with its children.
func (x *united) whole() vector.Field {
	f := x.Field
	for _, p := range x.parts {
		f.Children = append(f.Children, p.whole())
	}
	return f
}

// Schema returns the columns as a file would have them. Those are optional that a file lacks, or has so.
func (u *Union) Schema() (*schema.Schema, error) {
	var elements []thrift.SchemaElement
	fields := map[int]*vector.Field{}
	add := func(name string, r schema.Repetition, annotation thrift.Arm, children int) {
		elements = append(elements, thrift.SchemaElement{Name: name, Repetition: thrift.Repetition(r), Logical: thrift.LogicalType{Kind: annotation}, NumChildren: int32(children)})
	}
	var addAll func(x *united, name string)
	addAll = func(x *united, name string) {
		fields[len(elements)] = &x.Field
		r := map[bool]schema.Repetition{false: schema.Required, true: schema.Optional}[x.Nullable]
		names := []string{"element"}
		switch x.Layout {
		case vector.List:
			add(name, r, thrift.LogicalList, 1)
			add("list", schema.Repeated, 0, 1)
		case vector.Map:
			add(name, r, thrift.LogicalMap, 1)
			add("key_value", schema.Repeated, 0, len(x.parts))
			names = []string{"key", "value"}
		default:
			add(name, r, 0, len(x.parts))
			e := &elements[len(elements)-1]
			e.HasType, e.Type, e.TypeLength = x.Layout == vector.Leaf, thrift.Type(x.Type.Physical), x.Type.Length
			names = nil
		}
		for i, p := range x.parts {
			if names == nil {
				addAll(p, p.Name)
			} else {
				addAll(p, names[i])
			}
		}
	}
	addAll(&u.root, "")
	s, err := schema.New(elements)
	for i, f := range fields {
		if n := s.Node(i); i > 0 && err == nil {
			n.Type, n.HasFieldID, n.FieldID, n.CRS, n.Edges = f.Type, f.HasID, f.ID, f.CRS, f.Edges
		}
	}
	return s, err
}

// Fields returns the columns of o's Select, all if it is nil, as File.Fields does. It is an error if the files have
// no common type for one of these, or for a column of o's Filter.
func (u *Union) Fields(_ context.Context, o scanner.Options) (fields []vector.Field, err error) {
	name := u.file
	if n := u.root.files; n > 1 {
		name = fmt.Sprintf("%s and %d more", name, n-1)
	}
	defer func() { err = wrap(name, "", err) }()
	s, err := u.Schema()
	if err != nil {
		return nil, err
	}
	outs, err := project.All(s, o.Constants)
	if o.Select != nil {
		outs, err = project.Select(s, o.Select, o.Constants, nil)
	}
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for i := range outs {
		if p := outs[i].Within; p != nil {
			fields = append(fields, p.Field)
			asked[p.Root.Path()[0]] = true
			continue
		}
		plan, err := assemble.New(outs[i].Projected)
		if err != nil {
			return nil, err
		}
		fields = append(fields, plan.Field())
		asked[plan.Field().Name] = true
	}
	if o.Filter != nil {
		program, err := compile.Bind(o.Filter, s, o.Constants)
		if err != nil {
			return nil, err
		}
		for _, leaf := range program.Leaves() {
			asked[leaf.Path()[0]] = true
		}
	}
	for name := range asked {
		err = cmp.Or(err, u.conflicts[name])
	}
	return fields, err
}

// Table returns files as a table with these columns, as Files.United has those of its files. No more may be added then.
func (u *Union) Table(files *Files) *Files {
	united := files.United()
	united.united.known.Store(u)
	return united
}

// United returns the same files as a table of the columns of all, see Union. The first scan, or question,
// reads the footer of each file, of several far ones at the same time, and so does each one until that has
// succeeded: none of the files should get other columns later. Select and Filter then name columns of any file.
func (fs *Files) United() *Files {
	united := *fs
	united.united = &unitedFiles{fs, new(atomic.Pointer[Union])}
	return &united
}

// unitedFiles is what Files share that are a table of the columns of all.
type unitedFiles struct {
	of    *Files
	known *atomic.Pointer[Union] // shared by the same files in other forms
}

// union returns the columns of all files.
func (x *unitedFiles) union(ctx context.Context) (*Union, error) {
	u := x.known.Load()
	if u != nil {
		return u, nil
	}
	u = new(Union)
	err := x.of.Each(ctx, scanner.Options{Select: []string{}}, func(f *scanner.File, _ scanner.Options) error {
		fields, err := f.Fields(ctx, scanner.Options{})
		u.Add(f.Name(), fields)
		return err
	})
	if err == nil {
		x.known.Store(u)
	}
	return u, err
}

// typeOf returns the type that a leaf has in the table, given that in a file.
func (w *walk) typeOf(path string, inFile vector.Type) vector.Type {
	if w.union == nil {
		return inFile
	}
	fields, err := w.union.Fields(w.ctx, scanner.Options{Select: []string{path}})
	for err == nil && fields[0].Layout == vector.Struct {
		fields = fields[0].Children
	}
	if err != nil {
		return inFile
	}
	return fields[0].Type
}

// widened adds the leaves of a file, at or below n, that the table has of a wider type.
func widened(s *schema.Schema, n *schema.Node, f *vector.Field, wider map[string]vector.Type) {
	for ; f.Layout == vector.List; f = &f.Children[0] {
	}
	for n != nil && n.Kind == schema.List {
		n = n.Item()
	}
	switch {
	case n == nil:
	case n.Kind == schema.Leaf && f.Layout == vector.Leaf && n.Type != f.Type:
		t, isWider := project.Wider(n.Type, f.Type)
		isWider = isWider && t == f.Type
		if t.Logical == vector.Timestamp && n.Type.Physical != vector.Int96 { // conditions are the same in all units, but few years fit small ones
			t.Unit = max(n.Type.Unit, vector.Millis)
		}
		if isWider && t != n.Type {
			wider[n.String()] = t
		}
	case n.Kind == schema.Map && f.Layout == vector.Map:
		widened(s, n.Key(), &f.Children[0], wider)
		widened(s, n.Value(), &f.Children[len(f.Children)-1], wider)
	case n.Kind == schema.Struct && f.Layout == vector.Struct:
		for name, fields := range byName(f.Children) { // a condition names the first
			widened(s, s.Find(append(n.Path(), name)...), fields[0], wider)
		}
	}
}

// widen converts values to a wider type, see InTable of package compile.
func widen(v *vector.Vector, to vector.Type) *vector.Vector {
	c, _ := project.ConversionOf(v.Type, to)
	wide, _ := c.Apply(v)
	return wide
}
