package restriction

import (
	"cmp"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Position is the place of a row in its file.
type Position struct {
	Byte int64 // the middle of its row group
	Row  int64 // its ordinal there, after the rows of earlier row groups with the same middle
}

// Compare returns -1, 0 or 1, as p comes before, is, or comes after q.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Byte, q.Byte), cmp.Compare(p.Row, q.Row))
}

// String returns the text of p: "byte 0", "byte 9052, row 360".
func (p Position) String() string {
	text := "byte " + strconv.FormatInt(p.Byte, 10)
	if p.Row > 0 {
		text += ", row " + strconv.FormatInt(p.Row, 10)
	}
	return text
}

func (p Position) next() Position { return Position{p.Byte, p.Row + 1} }

// Restriction is the rows of a file from From on and before To. It travels as JSON.
type Restriction struct {
	From, To Position
	Bytes    int64          // about how many a scan of it reads
	File     fetch.Identity // the state of the file whose rows these are
}

// Whole is the restriction of a file that is read as a whole.
func Whole(file fetch.Identity) Restriction {
	return Restriction{To: Position{Byte: max(file.Size, 0)}, Bytes: max(file.Size, 0), File: file}
}

// Rows returns the rows of r in some row groups of the file.
func (r Restriction) Rows(groups []Group) vector.RowSet {
	set := vector.RowSet{}
	for i := range groups {
		g := &groups[i]
		for len(set) <= g.RowGroup {
			set = append(set, nil)
		}
		within := g.Within(r.From, r.To)
		set[g.RowGroup] = vector.Ranges(nil).Append(within.From, within.To)
	}
	return set
}

// Split divides r between row groups, into parts of about size bytes.
func (r Restriction) Split(groups []Group, size int64) (parts []Restriction) {
	part := r
	part.Bytes = 0
	for i := range groups {
		g := &groups[i]
		bytes := whole(g.weight(r.From, r.To))
		start := g.At(0)
		if part.Bytes > 0 && part.Bytes > size-bytes/2 && start.Compare(part.From) > 0 && start.Compare(r.To) < 0 {
			next := part
			part.To, next.From, next.Bytes = start, start, 0
			parts, part = append(parts, part), next
		}
		part.Bytes += min(bytes, 1<<62-part.Bytes)
	}
	return append(parts, part)
}

func (r Restriction) empty() bool { return r.From.Compare(r.To) >= 0 }

// Group is a row group as a Tracker knows it.
type Group struct {
	RowGroup int           // its number in the file
	Middle   int64         // the byte in the middle of its pages
	Before   int64         // rows of earlier row groups with the same middle
	NumRows  int64         // of the row group
	Rows     vector.Ranges // that may pass the filter
	Bytes    int64         // of the columns that are read
	PageRows int64         // rows of an average page of the largest column; 0: rows stay together
}

// At returns the position of a row of the group.
func (g *Group) At(row int64) Position { return Position{g.Middle, g.Before + row} }

// border returns border k of the group, at which it may be cut: about where page k starts.
func (g *Group) border(k int) Position { return g.At(int64(k) * g.PageRows) }

// borders returns the number of borders. The first one is that with the row group before.
func (g *Group) borders() int {
	if g.PageRows == 0 {
		return 1
	}
	return int((g.NumRows-1)/g.PageRows + 1)
}

// Within returns the rows of the group that are in [from, to), whether they may pass or not.
func (g *Group) Within(from, to Position) vector.Range {
	r := vector.Range{From: g.row(from), To: g.row(to)}
	return vector.Range{From: r.From, To: max(r.To, r.From)}
}

// row returns how many rows of the group come before p.
func (g *Group) row(p Position) int64 {
	switch {
	case p.Byte < g.Middle:
		return 0
	case p.Byte > g.Middle:
		return g.NumRows
	}
	return min(max(p.Row-g.Before, 0), g.NumRows)
}

// weight returns about how many bytes a scan of the group's rows in [from, to) reads.
func (g *Group) weight(from, to Position) float64 {
	if g.NumRows == 0 {
		return 0
	}
	r := g.Within(from, to)
	return float64(g.Bytes) * float64(g.Rows.Clip(r.From, r.To).Len()) / float64(g.NumRows)
}
