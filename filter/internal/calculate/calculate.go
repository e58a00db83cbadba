package calculate

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Term is a value of each row: that of a column, a constant, or what an operation returns for two
// other terms. It is immutable and safe for concurrent use.
type Term struct {
	Family  value.Family
	float   bool          // a double; else an integer in units of 10 to the power of -scale
	narrow  *value.Domain // of a float that is no double
	scale   int           // of moments and spans, of a second
	days    bool          // of dates: they are in days
	instant bool          // of moments: they are in UTC
	cast    bool          // to a type of numbers, which says how many digits are behind the point
	call    *call         // of x
	op      value.Arithmetic
	x, y    *Term         // of an operation
	column  int           // of a column: the index of its vector
	Domain  *value.Domain // of a column; nil of others
	exact   *big.Rat      // of an exact constant: its value, in nanoseconds of moments and spans
	whole   *big.Rat      // and in units of the term; of 1 in smaller units how many these are
	double  float64       // of another constant
}

// Column returns the term of a column of a domain's values.
func Column(i int, d *value.Domain) *Term {
	t := &Term{column: i, Domain: d, Family: value.FamilyOf(d), float: d.Kind == value.OfFloats, scale: int(d.Type.Scale), days: d.Type.Logical == vector.Date, instant: d.Type.UTC}
	if t.float && d.Type.Physical != vector.Double {
		t.narrow = d
	}
	if d.Kind == value.OfInt96 {
		t.scale = 6 // what is no microsecond is apart
	} else if t.Family != value.Numbers {
		t.scale = 3 * int(d.Type.Unit)
	}
	return t
}

// Linear reports whether no value of t is beyond those that the ends of columns' values have.
func (t *Term) Linear() bool {
	if t.call != nil {
		return t.call.linear && t.x.Linear()
	}
	return t.x == nil || t.op <= value.Multiply && t.x.Linear() && t.y.Linear()
}

// Constant returns the term of a literal, which is not NULL. The text is the error where it has none,
// else "". A month of an interval has 30 days, as in DuckDB.
func Constant(l *value.Literal) (*Term, string) {
	t := &Term{exact: new(big.Rat)}
	switch l.Kind {
	case value.LitNumber:
		if t.scale = max(0, -l.Number.Exp); l.Number.Approx {
			t.scale = max(t.scale, 1) // 2.0 is no integer
		}
		if t.exact = l.Number.Rat(); t.scale > 76 || t.exact.Num().BitLen() > 256 {
			return nil, "a constant of more than 76 digits beside a column"
		}
		t.whole = new(big.Rat).Mul(t.exact, new(big.Rat).SetInt(value.PowerOf10(t.scale)))
	case value.LitFloat:
		t.float, t.double, t.whole = true, l.Double, t.exact
	case value.LitDate, value.LitStamp, value.LitInterval:
		if t.Family, t.scale = value.Moments, 9; l.Kind == value.LitInterval {
			t.Family = value.Spans
		} else if l.Kind == value.LitDate {
			t.days, t.scale = true, 0
		}
		t.exact.Add(t.exact.Mul(big.NewRat(l.Days+30*l.Months, 1), big.NewRat(value.NanosPerDay, 1)), big.NewRat(l.Nanos, 1))
		if t.whole = t.exact; t.days {
			t.whole = big.NewRat(l.Days, 1)
		}
	default:
		return nil, "no arithmetic of columns with " + l.Kind.String()
	}
	return t, ""
}

// Operate returns what an operation returns for two terms. The text is the error where they do not go
// together, else "".
func Operate(op value.Arithmetic, x, y *Term) (*Term, string) {
	t := &Term{op: op, x: x, y: y}
	switch numbers, floats := x.Family == value.Numbers && y.Family == value.Numbers, x.float || y.float; {
	case numbers && (op == value.Divide || op == value.Power || floats && op < value.BitAnd):
		t.float = true
		return t, ""
	case numbers && op == value.Multiply:
		t.scale = x.scale + y.scale
		return t, ""
	case numbers && !floats && (op < value.BitAnd || x.scale+y.scale == 0):
	case op != value.Subtract || x.Family != value.Moments || y.Family != value.Moments:
		return nil, op.String() + " between columns takes numbers, & and | integers, and - dates and timestamps, too"
	case !x.days || !y.days: // two dates differ by a number of days
		t.Family = value.Spans
	}
	t.x, t.y = Aligned(x, y)
	t.scale = t.x.scale
	return t, ""
}

// Aligned returns two terms that are both exact in the smaller unit of both: in days if both are.
func Aligned(x, y *Term) (*Term, *Term) {
	if x.float || y.float {
		return x, y
	}
	scale, days := max(x.scale, y.scale), x.days && y.days
	return x.in(scale, days), y.in(scale, days)
}

// in returns an exact term in units that are not larger.
func (t *Term) in(scale int, days bool) *Term {
	if t.scale == scale && t.days == days {
		return t
	}
	factor := value.PowerOf10(scale - t.scale)
	if t.days && !days {
		factor.Mul(factor, big.NewInt(86400))
	}
	return &Term{Family: t.Family, op: value.Multiply, x: t, y: &Term{exact: big.NewRat(1, 1), whole: new(big.Rat).SetInt(factor)}, scale: scale, days: days, instant: t.instant}
}

// lane has a term's values of some rows. Those of NULLs are undefined, and so are those apart.
type lane struct {
	ints   []int64   // of exact terms; of a column perhaps its own, not to be changed
	floats []float64 // of others, likewise
	valid  []uint64  // the rows that are not NULL
	apart  []uint64  // the rows whose number no int64 holds
	wholes []int64   // memory for ints
	reals  []float64 // memory for floats
}

// Memory is memory for lanes.
type Memory struct {
	Vectors []*vector.Vector // of columns, flat
	Ends    bool             // they have the ends of columns' values: infinity times what may be 0 is NaN
	lanes   []*lane
	used    int
	called  map[*Term]lane // of calls: ints and apart
}

// Input returns which column a term is as it is; -1 if it is calculated.
func (t *Term) Input() int {
	if t.Domain == nil {
		return -1
	}
	return t.column
}

// lane returns a lane of n rows without NULLs.
func (m *Memory) lane(n int) *lane {
	if m.used == len(m.lanes) {
		m.lanes = append(m.lanes, &lane{})
	}
	l := m.lanes[m.used]
	if m.used++; cap(l.wholes) < n {
		*l = lane{valid: make([]uint64, bits.Words(n)), apart: make([]uint64, bits.Words(n)), wholes: make([]int64, n), reals: make([]float64, n)}
	}
	l.ints, l.floats, l.valid, l.apart = l.wholes[:n], l.reals[:n], l.valid[:bits.Words(n)], l.apart[:bits.Words(n)]
	clear(l.apart)
	bits.SetRange(l.valid, 0, n)
	return l
}

// run returns the values of n rows.
func (t *Term) run(m *Memory, n int) *lane {
	l := m.lane(n)
	switch {
	case t.Domain != nil:
		l.load(t, m.Vectors[t.column])
	case t.x == nil:
		if !t.whole.Num().IsInt64() {
			bits.SetRange(l.apart, 0, n)
		}
		for i, whole := 0, t.whole.Num().Int64(); i < n; i++ {
			l.ints[i], l.floats[i] = whole, t.double
		}
	case t.call != nil:
		x := t.x.run(m, n)
		copy(l.valid, x.valid)
		copy(l.apart, x.apart)
		t.call.run(m, l, x)
		t.settle(m, l)
	default:
		x, y := t.x.run(m, n), t.y.run(m, n)
		if t.float {
			t.x.round(m, x)
			t.y.round(m, y)
			operate(t.op, l.floats, x.floats, y.floats)
			for i := 0; i < n && m.Ends && t.op == value.Multiply; i++ {
				if math.IsInf(x.floats[i], 0) || math.IsInf(y.floats[i], 0) {
					l.floats[i] = math.NaN()
				}
			}
			for i := 0; i < n && t.op == value.Divide && !t.x.float && !t.y.float; i++ {
				if y.floats[i] == 0 {
					bits.Clear(y.valid, i)
				}
			}
		} else {
			copy(l.apart, x.apart)
			bits.Or(l.apart, y.apart)
			operate(t.op, l.ints, x.ints, y.ints)
			l.overflow(t.op, x.ints, y.ints)
		}
		copy(l.valid, x.valid)
		bits.And(l.valid, y.valid)
	}
	return l
}

// load sets a lane to the values of a column.
func (l *lane) load(t *Term, v *vector.Vector) {
	if len(v.Validity) > 0 {
		bits.And(l.valid, v.Validity[:len(l.valid)])
	}
	unsigned, n := t.Domain.Kind == value.OfUints, len(l.ints)
	switch store := v.Type.Store(); {
	case t.Domain.Kind == value.OfBytes: // compared as they are
	case store == vector.InBools:
		for i := range n {
			l.ints[i] = int64(v.Bools[i/64] >> (i % 64) & 1)
		}
	case store == vector.InDoubles:
		l.floats = v.Doubles[:n]
	case store == vector.InFloats:
		for i, f := range v.Floats[:n] {
			l.floats[i] = float64(f)
		}
	case store == vector.InInt64s:
		l.ints = v.Int64s[:n]
		for i := 0; i < n && unsigned; i++ {
			if l.ints[i] < 0 {
				bits.Set(l.apart, i)
			}
		}
	case store == vector.InInt32s:
		for i, x := range v.Int32s[:n] {
			if l.ints[i] = int64(x); unsigned {
				l.ints[i] = int64(uint32(x))
			}
		}
	case store == vector.InFixed && v.Type.Logical == vector.Decimal && v.Type.Width() <= 8:
		width := v.Type.Width()
		for i := range n {
			var word [8]byte
			b := v.Fixed[i*width:]
			if len(b) < len(word) {
				copy(word[:], b)
				b = word[:]
			}
			l.ints[i] = int64(binary.BigEndian.Uint64(b)) >> (64 - 8*width)
		}
	default:
		for i := bits.Next(l.valid, 0, n); i < n; i = bits.Next(l.valid, i+1, n) {
			b := v.Bytes(i)
			if t.float { // a FLOAT16
				l.floats[i] = t.Domain.Float(b)
			} else if v.Type.IsLongMoment() {
				per := unit(9 - t.scale)
				days, nanos := v.Type.SplitMoment(b)
				if l.ints[i] = days*t.perDay() + nanos/per; nanos%per != 0 || max(days, -days) >= math.MaxInt64/t.perDay() {
					bits.Set(l.apart, i)
				}
			} else if b = bits.Significant(b); len(b) > 8 {
				bits.Set(l.apart, i)
			} else { // a decimal
				l.ints[i] = bits.Int64(b)
			}
		}
	}
}

// round sets the floats of a lane to the doubles that are nearest to its exact values.
func (t *Term) round(m *Memory, l *lane) {
	const exactly = 1 << 53 // integers up to it are doubles, as powers of ten up to 10^22 are
	divisor, _ := new(big.Float).SetInt(value.PowerOf10(t.scale)).Float64()
	for i := 0; i < len(l.ints) && !t.float; i++ {
		n := l.ints[i]
		if l.floats[i] = float64(n) / divisor; n > exactly || n < -exactly || t.scale > 22 {
			bits.Set(l.apart, i)
		}
	}
	for i := bits.Next(l.apart, 0, len(l.ints)); i < len(l.ints); i = bits.Next(l.apart, i+1, len(l.ints)) {
		if bits.Get(l.valid, i) {
			l.floats[i], _ = t.fraction(m, i).Float64()
		}
	}
}

// operate sets z to what an operation returns for x and y.
func operate[T int64 | float64](op value.Arithmetic, z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	switch op {
	case value.Add:
		for i := range z {
			z[i] = x[i] + y[i]
		}
	case value.Subtract:
		for i := range z {
			z[i] = x[i] - y[i]
		}
	case value.Multiply:
		for i := range z {
			z[i] = x[i] * y[i]
		}
	case value.Divide: // of floats
		for i := range z {
			z[i] = x[i] / y[i]
		}
	case value.Power:
		for i := range z {
			z[i] = T(math.Pow(float64(x[i]), float64(y[i])))
		}
	case value.BitAnd: // of integers, as |
		for i := range z {
			z[i] = T(int64(x[i]) & int64(y[i]))
		}
	case value.BitOr:
		for i := range z {
			z[i] = T(int64(x[i]) | int64(y[i]))
		}
	}
}

// overflow marks the rows apart for whose results there may be no int64.
func (l *lane) overflow(op value.Arithmetic, x, y []int64) {
	z := l.ints
	if op == value.Subtract {
		x, z = z, x // x is the sum of z and y
	}
	x, y = x[:len(z)], y[:len(z)]
	switch op {
	case value.Add, value.Subtract:
		for i, sum := range z {
			if (x[i]^sum)&(y[i]^sum) < 0 { // of another sign than both
				bits.Set(l.apart, i)
			}
		}
	case value.Multiply:
		for i := range z {
			if math.Abs(float64(x[i]))*math.Abs(float64(y[i])) >= 1<<63-1<<10 {
				bits.Set(l.apart, i)
			}
		}
	}
}

// Order finds which of n rows have an x less than y, which have equal ones, and of which neither is
// NULL. The terms are Aligned. The results are valid until the next Order with the same memory.
func Order(x, y *Term, m *Memory, n int) (less, equal, valid []uint64) {
	m.used = 0
	double := value.DomainOf(vector.Type{Physical: vector.Double})
	floats, narrow := x.float || y.float, false
	for _, t := range [...]*Term{x, y} { // a decimal beside a FLOAT is the FLOAT that is nearest to it
		if t.narrow != nil {
			double, narrow = t.narrow, !x.float && x.scale > 0 || !y.float && y.scale > 0
		}
	}
	xs, ys, out := x.run(m, n), y.run(m, n), m.lane(n)
	less, equal, valid = out.valid, out.apart, xs.valid
	bits.And(valid, ys.valid)
	switch {
	case floats:
		x.round(m, xs)
		y.round(m, ys)
		compare(less, equal, xs.floats, ys.floats)
	case x.Domain != nil && x.Domain.Kind == value.OfBytes:
		orderBytes(less, equal, valid, m.Vectors[x.column], m.Vectors[y.column])
	default:
		compare(less, equal, xs.ints, ys.ints)
	}
	bits.Or(xs.apart, ys.apart)
	if narrow {
		bits.SetRange(xs.apart, 0, n)
	}
	bits.And(xs.apart, valid)
	for i := bits.Next(xs.apart, 0, n); i < n; i = bits.Next(xs.apart, i+1, n) {
		f, order := 0.0, 0
		switch {
		case x.float:
			f, order = xs.floats[i], -value.CompareFloat(y.fraction(m, i), xs.floats[i], y.scale > 0, double)
		case y.float:
			f, order = ys.floats[i], value.CompareFloat(x.fraction(m, i), ys.floats[i], x.scale > 0, double)
		default:
			order = x.fraction(m, i).Cmp(y.fraction(m, i))
		}
		bits.Clear(less, i)
		if bits.Clear(equal, i); order < 0 && f == f {
			bits.Set(less, i)
		} else if order == 0 && f == f {
			bits.Set(equal, i)
		}
	}
	return less, equal, valid
}

// compare sets the bits of the rows whose x is less than y, and of those where both are equal.
func compare[T int64 | float64](less, equal []uint64, x, y []T) {
	y = y[:len(x)]
	for w := range less {
		var l, e uint64
		from, to := w*64, min(w*64+64, len(x))
		for i := from; i < to; i++ {
			var below, same uint64
			if x[i] < y[i] {
				below = 1
			}
			if x[i] == y[i] {
				same = 1
			}
			l, e = l>>1|below<<63, e>>1|same<<63
		}
		less[w], equal[w] = l>>(64-(to-from)), e>>(64-(to-from))
	}
}

// orderBytes is compare for two vectors of bytes, in rows that are valid.
func orderBytes(less, equal, valid []uint64, x, y *vector.Vector) {
	inViews := x.Type.Store() == vector.InViews && y.Type.Store() == vector.InViews
	for w := range less {
		var l, e uint64
		from := w * 64
		for i := from; i < min(from+64, x.Len); i++ {
			var below, same uint64
			if inViews && x.Views[i].IsInline() && y.Views[i].IsInline() {
				below, same = bits.OrderInline(x.Views[i], y.Views[i])
			} else if !bits.Get(valid, i) {
			} else if order := bytes.Compare(x.Bytes(i), y.Bytes(i)); order < 0 {
				below = 1
			} else if order == 0 {
				same = 1
			}
			l, e = l|below<<(i-from), e|same<<(i-from)
		}
		less[w], equal[w] = l, e
	}
}

// fraction returns the exact value of a row that is not NULL, in nanoseconds of moments and spans.
func (t *Term) fraction(m *Memory, i int) *big.Rat {
	switch {
	case t.Domain != nil:
		var buf [8]byte
		return t.Domain.Exact(build.Plain(buf[:0], m.Vectors[t.column], i))
	case t.exact != nil:
		return t.exact
	case t.call != nil:
		return t.result(m, i)
	}
	z := t.op.Of(t.x.fraction(m, i), t.y.fraction(m, i))
	if t.x.days && t.Family == value.Numbers {
		z.Quo(z, big.NewRat(value.NanosPerDay, 1))
	}
	return z
}
