package verify

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// positions are the types of geometries in WKB, and coordinates that lie outside of a bounding
// box. A nil *positions ignores them.
type positions struct {
	types map[uint32]bool
	sides [4]side
	bad   int64 // geometries that are no WKB
}

// side is a side of the box, x, y, z or m.
type side struct {
	stated      bool
	least, most float64
	slack       float64  // by how much a coordinate may lie outside
	outside     *float64 // the first coordinate that does
}

// geographySlack is for boxes of GEOGRAPHY: they are computed on a sphere, and rounded.
const geographySlack = 1e-9

// positionsOf returns what collects the geometries of a chunk that has statistics of them.
func positionsOf(c *scanner.Chunk) *positions {
	if t := c.Leaf.Type.Logical; !c.Meta.HasGeospatial || t != vector.Geometry && t != vector.Geography {
		return nil
	}
	g := &c.Meta.Geospatial
	b := &g.Box
	p := &positions{types: map[uint32]bool{}, sides: [4]side{
		{stated: g.HasBox, least: b.XMin, most: b.XMax}, {stated: g.HasBox, least: b.YMin, most: b.YMax},
		{stated: b.HasZMin && b.HasZMax, least: b.ZMin, most: b.ZMax}, {stated: b.HasMMin && b.HasMMax, least: b.MMin, most: b.MMax},
	}}
	if c.Leaf.Type.Logical == vector.Geography {
		p.sides[0].slack, p.sides[1].slack = geographySlack, geographySlack
	}
	return p
}

// add adds a geometry.
func (p *positions) add(bytes []byte) {
	if p == nil {
		return
	}
	w := wkb{p: p, rest: bytes}
	if w.geometry(0); w.short || len(w.rest) > 0 {
		p.bad++
	}
}

// wkb reads a geometry, and those within it.
type wkb struct {
	p     *positions
	order binary.ByteOrder
	axes  []int
	rest  []byte
	short bool // it ends too early, or is of no kind
}

// geometry reads the next geometry. Those within others have no type of their own in statistics.
//
//	order 1 byte, type 4 bytes, then by type (modulo 1000):
//	1 point         coordinates
//	2 line          number of points, points
//	3 polygon       number of rings, each as a line
//	4–7 several     number of geometries, geometries
func (w *wkb) geometry(depth int) {
	if w.short = len(w.rest) < 5 || depth > 32; w.short {
		return
	}
	w.order = binary.LittleEndian
	if w.rest[0] == 0 {
		w.order = binary.BigEndian
	}
	kind, axes := w.order.Uint32(w.rest[1:]), [][]int{{0, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 2, 3}}
	if w.short = kind/1000 >= uint32(len(axes)) || kind%1000 < 1 || kind%1000 > 7; w.short {
		return
	}
	if w.rest, w.axes = w.rest[5:], axes[kind/1000]; depth == 0 {
		w.p.types[kind] = true
	}
	switch kind % 1000 {
	case 1:
		w.point()
	case 2:
		w.several(w.point)
	case 3:
		w.several(func() { w.several(w.point) })
	default:
		w.several(func() { w.geometry(depth + 1) })
	}
}

// several reads a number, and as many parts.
func (w *wkb) several(read func()) {
	if len(w.rest) < 4 {
		w.short = true
		return
	}
	n := w.order.Uint32(w.rest)
	w.rest = w.rest[4:]
	for ; n > 0 && !w.short; n-- {
		read()
	}
}

func (w *wkb) point() {
	if len(w.rest) < 8*len(w.axes) {
		w.short = true
		return
	}
	for _, axis := range w.axes {
		x := math.Float64frombits(w.order.Uint64(w.rest))
		w.rest = w.rest[8:]
		if at := &w.p.sides[axis]; at.stated && at.outside == nil && at.excludes(x, axis == 0) {
			at.outside = &x
		}
	}
}

// excludes reports whether x lies outside. A box may go around the globe, with the least x above
// the greatest. NaN is the coordinate of an empty point, and a bound that says nothing.
func (s *side) excludes(x float64, mayWrap bool) bool {
	before, after := x < s.least-s.slack, x > s.most+s.slack
	if mayWrap && s.least > s.most {
		return before && after
	}
	return before || after
}
