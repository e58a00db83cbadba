package verify

import "github.com/winnow-scan/winnow/column/schema"

// levelHashes are hashes of the levels of groups, by a leaf in each.
type levelHashes map[*schema.Node]levelHash

type levelHash struct {
	leaf *schema.Node
	hash uint64
}

// ancestorsOf returns the groups around a leaf in which there are other leaves.
func ancestorsOf(leaf *schema.Node) (groups []*schema.Node) {
	for n := leaf.Parent; n.Parent != nil; n = n.Parent {
		if n.EndLeaf-n.FirstLeaf > 1 {
			groups = append(groups, n)
		}
	}
	return groups
}

// compareLevels notes groups whose leaves say different things of NULLs and of the lengths of
// lists.
func (v *verification) compareLevels(x *leafValues, known *levelHashes) {
	if *known == nil {
		*known = levelHashes{}
	}
	for i, group := range x.ancestors {
		first, ok := (*known)[group]
		switch {
		case !ok:
			(*known)[group] = levelHash{x.chunk.Leaf, x.hashed[i]}
		case first.hash != x.hashed[i]:
			v.fault(x.chunk, -1, -1, "levels: NULLs or lists of ", group.String(), " are not those of column ", first.leaf.String())
			return
		}
	}
}
