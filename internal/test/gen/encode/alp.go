package encode

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// ALP is the encoding of that name with its choices open. The zero value writes
// what common writers do: vectors of 1024 values, each with the exponent and the
// factor that make it short.
type ALP struct {
	LogVector        int   // vectors of 1<<LogVector values; 0 means 10
	Fixed            bool  // all vectors have these:
	Exponent, Factor int   //
	Exceptions       int   // if not 0, each so-manieth value is an exception though it need not be
	Backwards        bool  // exceptions from the last to the first
	ExtraWidth       int   // bits more than each vector needs, as far as the type goes
	LowerFrame       int64 // how far below the least integer each vector's frame lies
	Count            int   // if not 0, number of values that the header claims
}

// Float32s appends values of a FLOAT column.
func (a ALP) Float32s(dst []byte, v []float32) []byte {
	const most = 10
	var up, down [most + 1]float32
	for e := range up {
		up[e], down[e] = float32(power(e, 32)), float32(power(-e, 32))
	}
	t := alpType{
		bits: 32, maxExponent: most,
		encode: func(i, e, f int) (int64, bool) {
			x := math.RoundToEven(float64(float32(v[i]*up[e]) * down[f]))
			if !(x >= math.MinInt32 && x <= math.MaxInt32) {
				return 0, false
			}
			back := float32(float32(int32(x))*up[f]) * down[e]
			return int64(x), math.Float32bits(back) == math.Float32bits(v[i])
		},
		exact: func(dst []byte, i int) []byte { return Numbers(dst, v[i:i+1]) },
	}
	return a.append(dst, len(v), t)
}

// Float64s appends values of a DOUBLE column.
func (a ALP) Float64s(dst []byte, v []float64) []byte {
	const most = 18
	var up, down [most + 1]float64
	for e := range up {
		up[e], down[e] = power(e, 64), power(-e, 64)
	}
	t := alpType{
		bits: 64, maxExponent: most,
		encode: func(i, e, f int) (int64, bool) {
			x := math.RoundToEven(float64(v[i]*up[e]) * down[f])
			if !(x >= math.MinInt64 && x < -math.MinInt64) {
				return 0, false
			}
			back := float64(float64(int64(x))*up[f]) * down[e]
			return int64(x), math.Float64bits(back) == math.Float64bits(v[i])
		},
		exact: func(dst []byte, i int) []byte { return Numbers(dst, v[i:i+1]) },
	}
	return a.append(dst, len(v), t)
}

// power returns the number of the type that is closest to 10^e.
func power(e, typeBits int) float64 {
	v, err := strconv.ParseFloat("1e"+strconv.Itoa(e), typeBits)
	if err != nil {
		panic(err)
	}
	return v
}

// alpType is what depends on the type. Values are known by their number.
type alpType struct {
	bits, maxExponent int
	encode            func(i, e, f int) (integer int64, ok bool)
	exact             func(dst []byte, i int) []byte
}

func (a ALP) append(dst []byte, n int, t alpType) []byte {
	log, count := a.LogVector, n
	if log == 0 {
		log = 10
	}
	if a.Count != 0 {
		count = a.Count
	}
	dst = append(dst, 0, 0, byte(log))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(count))
	size := 1 << log
	vectors := (n + size - 1) / size
	offsets := len(dst)
	dst = append(dst, make([]byte, 4*vectors)...)
	for k := range vectors {
		binary.LittleEndian.PutUint32(dst[offsets+4*k:], uint32(len(dst)-offsets))
		from := k * size
		to := min(from+size, n)
		e, f := a.Exponent, a.Factor
		if !a.Fixed {
			e, f = t.best(from, to)
		}
		dst = a.vector(dst, from, to, e, f, t)
	}
	return dst
}

// best returns the pair that makes a sample of the values from to to shortest.
func (t alpType) best(from, to int) (exponent, factor int) {
	least := math.MaxInt
	step := max(1, (to-from)/32)
	for e := t.maxExponent; e >= 0; e-- {
		for f := e; f >= 0; f-- {
			exceptions, n := 0, 0
			low, high := int64(math.MaxInt64), int64(math.MinInt64)
			for i := from; i < to; i += step {
				n++
				if x, ok := t.encode(i, e, f); ok {
					low, high = min(low, x), max(high, x)
				} else {
					exceptions++
				}
			}
			size := exceptions * (16 + t.bits)
			if exceptions < n {
				size += n * bits.Len64(uint64(high-low))
			}
			if size < least {
				least, exponent, factor = size, e, f
			}
		}
	}
	return exponent, factor
}

// vector appends the values from to to.
//
//	e, f, number of exceptions | frame, width | packed | positions | exceptions
func (a ALP) vector(dst []byte, from, to, e, f int, t alpType) []byte {
	integers := make([]int64, to-from)
	var exceptions []int
	filler, first := int64(0), true
	for i := range integers {
		x, ok := t.encode(from+i, e, f)
		if !ok || a.Exceptions > 0 && (from+i)%a.Exceptions == 0 {
			exceptions = append(exceptions, i)
			continue
		}
		if first {
			filler, first = x, false
		}
		integers[i] = x
	}
	for _, i := range exceptions {
		integers[i] = filler
	}
	least := integers[0]
	for _, x := range integers {
		least = min(least, x)
	}
	frame := uint64(least-a.LowerFrame) & (1<<t.bits - 1)
	width := 0
	for i, x := range integers {
		integers[i] = int64((uint64(x) - frame) & (1<<t.bits - 1))
		width = max(width, bits.Len64(uint64(integers[i])))
	}
	width = min(width+a.ExtraWidth, t.bits)

	dst = append(dst, byte(e), byte(f))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(exceptions)))
	for i := 0; i < t.bits; i += 8 {
		dst = append(dst, byte(frame>>i))
	}
	w := bitWriter{dst: append(dst, byte(width))}
	for _, x := range integers {
		w.lsb(fit(uint64(x), width), width)
	}
	dst = w.dst
	if a.Backwards {
		for i, j := 0, len(exceptions)-1; i < j; i, j = i+1, j-1 {
			exceptions[i], exceptions[j] = exceptions[j], exceptions[i]
		}
	}
	for _, i := range exceptions {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(i))
	}
	for _, i := range exceptions {
		dst = t.exact(dst, from+i)
	}
	return dst
}
