package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
)

// prefixed decodes DELTA_BYTE_ARRAY: it puts wanted values together in arenas of its own.
type prefixed struct {
	rewindable[delta.Prefixed, *delta.Prefixed]
	owned   arenas
	made    int            // where the values end that arenas may have
	n, size int            // of the last arena: its values, and its bytes with some to spare
	match   encoding.Match // of the last Filter
}

func (d *prefixed) Reset(in *Input) error {
	d.Leave()
	d.owned.bodies, d.made = in.Bodies, 0
	return d.startAt0(d.now.Reset(in.Body, in.N))
}

// Begin also leaves the arenas, if they have no value from v on: a page may hold far more bytes
// than there are in its body.
func (d *prefixed) Begin(v, n int) error {
	if v >= d.made {
		d.Leave()
	}
	return d.rewindable.Begin(v, n)
}

// Lend notes that one more vector points into b, if it is memory of these values.
func (d *prefixed) Lend(b []byte) { d.owned.lend(b) }

// Leave says that no more values of the page are wanted.
func (d *prefixed) Leave() { d.owned.leave() }

// Drop gives back those of the buffers that are memory of these values and were not lent.
func (d *prefixed) Drop(buffers [][]byte) { d.owned.drop(buffers) }

func (d *prefixed) Next(dst *vector.Vector, at, n int) error {
	arena := d.begin(dst, n, n)
	_, arena, err := d.now.Next(dst.Views[at:at+n], arena)
	d.end(dst, arena, n)
	return err
}

func (d *prefixed) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	wanted := bits.Count(sel, 0, n)
	arena := d.begin(dst, wanted, n)
	_, arena, err := d.now.Gather(dst.Views[at:], arena, sel, n)
	d.end(dst, arena, wanted)
	return err
}

func (d *prefixed) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	arena := d.begin(dst, n, n)
	_, arena, err := d.now.Pack(dst.Views[at:], arena, sel, n)
	d.end(dst, arena, n)
	return true, err
}

// begin returns an arena for about as many values as are wanted of the next n.
func (d *prefixed) begin(dst *vector.Vector, wanted, n int) []byte {
	d.nowAt += n
	d.made = max(d.made, d.nowAt)
	d.now.Buffer = int32(len(dst.Buffers))
	const trust = 1 << 20 // bytes that are allocated on an estimate
	const least = 4 << 10 // arenas of different sizes would not be found again
	size := min(int64(d.size)*int64(wanted)/int64(max(d.n, 1)), int64(max(d.size, trust)))
	return d.owned.take(max(int(size), least))
}

// end adds the arena of n values to dst's buffers.
func (d *prefixed) end(dst *vector.Vector, arena []byte, n int) {
	d.owned.putBack(arena)
	if len(arena) > 0 {
		build.AddBuffer(dst, arena)
		d.n, d.size = n, len(arena)+len(arena)/8
	}
}

func (d *prefixed) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	var known bool
	if d.match, known = matchOf(t); !known || t.Kind == pred.Equal && delta.MakesFast() {
		return false, nil
	}
	d.nowAt += n
	return true, d.now.Match(sel, n, &d.match)
}
