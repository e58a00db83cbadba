package scanner_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
)

// Paths and casts in Select return what they lead to in whole values, however the values are stored, in all rows and in some.
func TestSelectVariantPaths(t *testing.T) {
	found, rounds := 0, dtest.Rounds(t, 60)
	for seed := range rounds {
		s := &shredding{rand.New(rand.NewPCG(uint64(seed), 49)), []string{"", "a", "b c", "typed_value", "value", "é"}}
		file, values := s.file(t, 60)
		f, err := opened(t, file)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		var finds []func(any) any
		for range 3 + s.r.IntN(5) {
			path, find := s.path()
			if to, of := s.r.IntN(4), find; to == 0 {
				path, find = "CAST("+path+" AS VARCHAR)", func(x any) any { return castOf(of(x), true) }
			} else if to == 1 {
				path, find = path+"::INT", func(x any) any { return castOf(of(x), false) }
			}
			if _, err := f.Schema().Lookup(path); err != nil { // v.value is stored so
				paths, finds = append(paths, path), append(finds, find)
			}
		}
		o := scanner.Options{Select: append(paths, "i"), BatchRows: 1 + s.r.IntN(70), BatchBytes: s.r.IntN(400)}
		if s.r.IntN(2) == 0 {
			path, _ := s.path()
			if o.Filter, err = filter.Parse(s.condition(path).text + " OR i % 3 = 1"); err != nil {
				t.Fatal(err)
			}
		}
		read := func(f *scanner.File, check func(k int, row int64, got any)) error {
			for b, err := range f.Scan(t.Context(), o) {
				if err != nil {
					return err
				}
				rows := b.Columns[len(b.Columns)-1]
				rows.Flatten()
				if err := validate.Batch(b); err != nil {
					t.Fatal(err)
				}
				for k := range paths {
					slots, err := slotsOf(b.Fields[k], b.Columns[k])
					if err != nil {
						return err
					}
					for i, x := range slots {
						check(k, rows.Int64s[i], x)
					}
				}
			}
			return nil
		}
		err = read(f, func(k int, row int64, got any) {
			if want := finds[k](values[row]); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %s of row %d, %v, is %#v, want %#v", seed, paths[k], row, values[row], got, want)
			} else if want != nil {
				found++
			}
		})
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, paths, err)
		}
		damaged := slices.Clone(file)
		damaged[s.r.IntN(len(file))] ^= 1 << s.r.IntN(8)
		if f, err := opened(t, damaged); err == nil {
			read(f, func(int, int64, any) {}) // an error, or rows, but no panic
		}
	}
	if found < 5*rounds {
		t.Errorf("%d values", found)
	}
}

// slotsOf returns the values of a column of VARIANT, strings or INTEGER.
func slotsOf(f vector.Field, v *vector.Vector) (values []any, err error) {
	var variants *vector.Variants
	if f.Layout == vector.Struct {
		if variants, err = f.Variants(); err != nil {
			return nil, err
		}
		variants.Use(v)
	}
	for i := range v.Len {
		var x any
		switch {
		case variants != nil:
			x, err = variants.Native(i)
		case v.IsNull(i):
		case v.Type.Physical == vector.Int32:
			x = int64(v.Int32s[i])
		default:
			x = string(v.Bytes(i))
		}
		if err != nil {
			return nil, err
		}
		values = append(values, x)
	}
	return values, nil
}
