package verify

import (
	"encoding/binary"
	"math/big"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// rangeOf returns the least and the greatest value of a type that has fewer than its physical
// type: decimals by their precision, short integers, times of a day.
func rangeOf(t vector.Type) (least, most *big.Int) {
	power := func(base, exponent int64) *big.Int {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil)
	}
	switch one := big.NewInt(1); {
	case t.Logical == vector.Decimal && t.Precision > 0 && t.Precision < 1000:
		most = power(10, int64(t.Precision))
		most.Sub(most, one)
		return new(big.Int).Neg(most), most
	case t.Logical == vector.Integer && t.Bits < 32 && t.Signed:
		most = power(2, int64(t.Bits)-1)
		return new(big.Int).Neg(most), new(big.Int).Sub(most, one)
	case t.Logical == vector.Integer && t.Bits < 32:
		return new(big.Int), new(big.Int).Sub(power(2, int64(t.Bits)), one)
	case t.Logical == vector.Time:
		day := map[vector.Unit]int64{vector.Millis: 1e3, vector.Micros: 1e6, vector.Nanos: 1e9}[t.Unit] * 24 * 60 * 60
		return new(big.Int), big.NewInt(day - 1)
	}
	return nil, nil
}

// number returns a value of such a type.
func number(t vector.Type, plain []byte) *big.Int {
	switch t.Physical {
	case vector.Int32:
		if t.Logical == vector.Integer && !t.Signed {
			return big.NewInt(int64(binary.LittleEndian.Uint32(plain)))
		}
		return big.NewInt(int64(int32(binary.LittleEndian.Uint32(plain))))
	case vector.Int64:
		return big.NewInt(int64(binary.LittleEndian.Uint64(plain)))
	}
	return bits.SetSigned(new(big.Int), plain)
}

// typeRange notes values that their type does not have: readers make different things of them.
func (v *verification) typeRange(x *leafValues) {
	t, all := x.chunk.Leaf.Type, &x.all
	least, most := rangeOf(t)
	if most == nil || all.least == nil {
		return
	}
	for _, plain := range [][]byte{all.least, all.most} {
		if n := number(t, plain); n.Cmp(least) < 0 || n.Cmp(most) > 0 {
			shown := "a number of " + strconv.Itoa(len(plain)) + " bytes"
			if len(plain) <= 64 {
				shown = n.String()
			}
			v.flaw(x.chunk, -1, -1, "values: ", shown, " is out of the range of ", t)
			return
		}
	}
}
