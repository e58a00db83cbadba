package scanner

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// outputs resolves Select or Want to the columns of the batches. Unnested is the path of
// Unnest, if any.
func (f *File) outputs(o *Options, unnested []*schema.Node) ([]project.Output, error) {
	if o.noColumns {
		return nil, nil
	}
	var outs []project.Output
	var err error
	switch {
	case o.Want != nil:
		outs, err = project.Resolve(f.schema, projectWants(o.Want), project.Match(o.By), o.Constants)
	case o.Select != nil:
		outs, err = project.Select(f.schema, o.Select, o.Constants, unnested)
	case o.Unnest == "":
		outs, err = project.All(f.schema, o.Constants)
	}
	if err != nil {
		return nil, f.mismatch(err)
	}
	return outs, nil
}

// names returns the host's names of the file's columns; nil if they are the file's.
func (f *File) names(o *Options) compile.Names {
	if o.By == ByName {
		return nil
	}
	return project.Names(f.schema, projectWants(o.Want), project.Match(o.By), o.Constants)
}

// nodesAlong resolves a path to the nodes on it, from the column down. Constants have none.
func (f *File) nodesAlong(path string, o *Options) (nodes []*schema.Node, err error) {
	if err = project.NotConstant(o.Constants, path); err == nil {
		nodes, err = project.Path(f.schema, f.names(o), path)
	}
	return nodes, f.wrap(-1, "", -1, err)
}

func projectWants(wants []Want) []project.Want {
	out := make([]project.Want, len(wants))
	for i := range wants {
		w := &wants[i]
		out[i] = project.Want{Name: w.Name, FieldID: w.FieldID, Layout: w.Layout, Type: w.Type, Default: w.Default, Children: projectWants(w.Children)}
	}
	return out
}
