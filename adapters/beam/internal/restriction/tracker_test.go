package restriction

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// twoGroups are 100 rows of 1000 bytes with pages of 10 rows, and 50 rows of 500 bytes without an
// offset index, of which the last 10 cannot pass.
func twoGroups() []Group {
	return []Group{
		{RowGroup: 0, Middle: 600, NumRows: 100, Rows: vector.All(100), Bytes: 1000, PageRows: 10},
		{RowGroup: 1, Middle: 1500, NumRows: 50, Rows: vector.All(40), Bytes: 500},
	}
}

// started returns a bound tracker of which the rows of the first group before row are claimed.
func started(row int64) *Tracker {
	t := NewTracker(Whole(fetch.Identity{Size: 2000}))
	t.Bind(twoGroups())
	if row > 0 {
		t.Claim(Position{600, row - 1})
	}
	return t
}

// Splits are at the first border at or after the fraction, else at the last one before it.
func TestTrySplit(t *testing.T) {
	for _, c := range []struct {
		claimed  int64
		fraction float64
		at       Position // the zero one: no split
		kept     int64    // bytes of the primary
	}{
		{0, 0.5, Position{600, 70}, 700},
		{0, 0.001, Position{600, 10}, 100},
		{0, 0.69, Position{1500, 0}, 1000},
		{0, 0.72, Position{1500, 0}, 1000}, // there is none after it
		{0, 1, Position{1500, 0}, 1000},
		{55, 0.3, Position{600, 90}, 900},
		{95, 0.01, Position{1500, 0}, 1000},
		{100, 0.5, Position{}, 0}, // one group without borders is left
		{55, 0, Position{600, 55}, 550},
		{0, 0, Position{}, 0}, // all of it: see below
		{55, math.NaN(), Position{600, 55}, 550},
		{55, -1, Position{600, 55}, 550},
		{55, math.Inf(1), Position{1500, 0}, 1000},
	} {
		tr := started(c.claimed)
		primary, residual, err := tr.TrySplit(c.fraction)
		if err != nil {
			t.Fatal(err)
		}
		if c.at == (Position{}) && c.fraction > 0 {
			if residual != nil || primary != tr.GetRestriction() {
				t.Errorf("%v of %d: %v, %v", c.fraction, c.claimed, primary, residual)
			}
			continue
		}
		kept, lost := primary.(Restriction), residual.(Restriction)
		if kept.To != c.at || lost.From != c.at || kept.Bytes != c.kept || lost.Bytes != 1400-c.kept {
			t.Errorf("%v of %d: %+v, %+v", c.fraction, c.claimed, kept, lost)
		}
		if done := tr.IsDone(); done != !(c.fraction > 0) {
			t.Errorf("%v of %d: done is %v", c.fraction, c.claimed, done)
		}
	}
}

// Progress is in bytes of the columns that are read, of rows that may pass.
func TestProgress(t *testing.T) {
	tr := started(0)
	for _, c := range []struct {
		claim      Position
		done, left float64
	}{
		{Position{600, 0}, 10, 1390},
		{Position{600, 49}, 500, 900},
		{Position{600, 99}, 1000, 400},
		{Position{1500, 19}, 1200, 200},
		{Position{1500, 45}, 1400, 0},
	} {
		if !tr.Claim(c.claim) {
			t.Fatalf("%v is not claimed", c.claim)
		}
		if done, left := tr.GetProgress(); math.Abs(done-c.done) > 1e-9 || math.Abs(left-c.left) > 1e-9 {
			t.Errorf("at %v: %v and %v, want %v and %v", c.claim, done, left, c.done, c.left)
		}
	}
	if tr.IsDone() {
		t.Error("done before the end is claimed")
	}
	if tr.Finish(); !tr.IsDone() || tr.GetError() != nil {
		t.Errorf("not done at the end: %v", tr.GetError())
	}
}

// Claims must ascend, and end with the first that fails.
func TestClaims(t *testing.T) {
	twice := started(10)
	if twice.TryClaim(Position{600, 9}) || twice.GetError() == nil || twice.IsDone() {
		t.Error("a row is claimed twice")
	}
	before := NewTracker(Restriction{From: Position{600, 50}, To: Position{2000, 0}})
	if before.TryClaim(Position{600, 49}) || before.GetError() == nil {
		t.Error("a row before the restriction is claimed")
	}
	after := started(10)
	if _, lost, _ := after.TrySplit(0); lost == nil || after.TryClaim(Position{600, 10}) || after.GetError() != nil || !after.IsDone() {
		t.Errorf("a row that was split off: %v", after.GetError())
	}
	if after.TryClaim(Position{600, 11}) || after.GetError() == nil {
		t.Error("a claim after one that failed is no error")
	}
	if other := started(0); other.TryClaim("a row") || other.GetError() == nil {
		t.Error("a string is claimed")
	}
}

// A split before the file is open is one of bytes.
func TestSplitOfBytes(t *testing.T) {
	tr := NewTracker(Whole(fetch.Identity{Size: 2000}))
	primary, residual, err := tr.TrySplit(0.25)
	kept, lost := primary.(Restriction), residual.(Restriction)
	if err != nil || kept.To != (Position{500, 0}) || lost.From != kept.To || kept.Bytes != 500 || lost.Bytes != 1500 {
		t.Errorf("%v, %v, %v", kept, lost, err)
	}
	if got := tr.Bind(twoGroups()); got != kept {
		t.Errorf("bound to %v", got)
	}
	if rows := lost.Rows(twoGroups()); rows.Len() != 150 {
		t.Errorf("%v", rows)
	}
	if rows := kept.Rows(twoGroups()); rows.Len() != 0 {
		t.Errorf("%v", rows)
	}
}

// What travels arrives.
func TestTravels(t *testing.T) {
	r := Restriction{From: Position{1, 2}, To: Position{3, math.MaxInt64}, Bytes: 5, File: fetch.Identity{Name: "f", Size: 6, Tag: "x"}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got Restriction
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v arrives as %v: %v", r, got, err)
	}
}
