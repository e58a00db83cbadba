package scanner

import (
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// outputs resolves Select or Want to the columns of the batches.
func (f *File) outputs(o *Options) ([]project.Output, error) {
	if o.noColumns {
		return nil, nil
	}
	if o.Want != nil {
		outs, err := project.Resolve(f.schema, projectWants(o.Want), project.Match(o.By))
		return outs, f.mismatch(err)
	}
	var parts []assemble.Part
	switch {
	case o.Select != nil:
		var err error
		if parts, err = project.Select(f.schema, o.Select); err != nil {
			return nil, f.wrap(-1, "", -1, err)
		}
	case o.Unnest == "":
		for _, n := range f.schema.Root().Children {
			parts = append(parts, assemble.Whole(n))
		}
	}
	outs := make([]project.Output, len(parts))
	for i, p := range parts {
		outs[i].Part = p
	}
	return outs, nil
}

// names returns the host's names of the file's columns; nil if they are the file's.
func (f *File) names(o *Options) compile.Names {
	if o.By == ByName {
		return nil
	}
	return project.Names(f.schema, projectWants(o.Want), project.Match(o.By))
}

// steps resolves a path to the nodes on it, from the column down.
func (f *File) steps(path string, o *Options) ([]*schema.Node, error) {
	steps, err := project.Path(f.schema, f.names(o), path)
	return steps, f.wrap(-1, "", -1, err)
}

func projectWants(wants []Want) []project.Want {
	out := make([]project.Want, len(wants))
	for i := range wants {
		out[i] = wants[i].project()
	}
	return out
}

func (w *Want) project() project.Want {
	return project.Want{Name: w.Name, FieldID: w.FieldID, Layout: w.Layout, Type: w.Type, Default: w.Default, Children: projectWants(w.Children)}
}
