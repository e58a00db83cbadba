package project

import (
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Dictionaries say which leaves come as dictionaries. The zero Dictionaries are for none.
type Dictionaries struct {
	others vector.DictionaryUse
	leaves []vector.DictionaryUse // by leaf of the file; nil: others
	paths  []dictionaryPath       // short ones first
}

// dictionaryPath is a path of a host with the use that it asks for.
type dictionaryPath struct {
	names []string
	use   vector.DictionaryUse
	found bool // it names a column of the file, or one that Mark or Named has seen
}

// BindDictionaries resolves the paths of uses in schema s, or in a host's names of its
// columns. The path "" stands for all leaves that no other path names. Of several paths to
// a leaf the longest counts.
func BindDictionaries(s *schema.Schema, host compile.Names, uses map[string]vector.DictionaryUse) (Dictionaries, error) {
	d := Dictionaries{others: uses[""]}
	if len(uses) == 0 {
		return d, nil
	}
	d.leaves = slices.Repeat([]vector.DictionaryUse{d.others}, len(s.Leaves()))
	for _, text := range slices.Sorted(maps.Keys(uses)) {
		if text == "" {
			continue
		}
		names, err := schema.ParsePath(text)
		if err != nil {
			return d, err
		}
		d.paths = append(d.paths, dictionaryPath{names: names, use: uses[text]})
	}
	slices.SortStableFunc(d.paths, func(a, b dictionaryPath) int { return len(a.names) - len(b.names) })
	for i := range d.paths {
		p := &d.paths[i]
		steps, err := Path(s, host, schema.FormatPath(p.names))
		if err != nil {
			continue // it may name a column that the file lacks
		}
		p.found = true
		n := steps[len(steps)-1]
		for leaf := n.FirstLeaf; leaf < n.EndLeaf; leaf++ {
			d.leaves[leaf] = p.use
		}
	}
	return d, nil
}

// Leaf returns the use of a leaf of the file.
func (d *Dictionaries) Leaf(n *schema.Node) vector.DictionaryUse {
	if d.leaves == nil {
		return d.others
	}
	return d.leaves[n.FirstLeaf]
}

// Named returns the use of a leaf that the file lacks, given the names of the fields that
// lead to it.
func (d *Dictionaries) Named(names ...string) vector.DictionaryUse {
	use := d.others
	for i := range d.paths {
		if p := &d.paths[i]; leadsTo(p.names, names) {
			p.found, use = true, p.use
		}
	}
	return use
}

// leadsTo reports whether a path names a field, given the names that lead to it, or one
// above it. A path may leave out the items of lists.
func leadsTo(path, names []string) bool {
	for _, name := range names {
		switch {
		case len(path) == 0:
			return true
		case path[0] == name:
			path = path[1:]
		case name != "item":
			return false
		}
	}
	return len(path) == 0
}

// Mark sets Dictionary of all leaf fields of a plan.
func (d *Dictionaries) Mark(p *assemble.Plan) {
	p.EachLeaf(func(names []string, f *vector.Field, leaf *schema.Node) {
		if leaf == nil {
			f.Dictionary = d.Named(names...)
		} else {
			f.Dictionary = d.Leaf(leaf)
		}
	})
}

// Check returns an error if a path names nothing: no column of the file, no marked field,
// and nothing within a constant.
func (d *Dictionaries) Check(constants filter.Constants) error {
	for i := range d.paths {
		p := &d.paths[i]
		if _, constant := constants[schema.FormatPath(p.names[:1])]; !p.found && !constant {
			return NoColumn("no column " + schema.FormatPath(p.names) + ", which Dictionaries names")
		}
	}
	return nil
}
