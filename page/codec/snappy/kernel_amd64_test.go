//go:build !purego

package snappy

import (
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"
	"github.com/winnow-scan/winnow/page/codec/codectest"
	"golang.org/x/sys/cpu"
)

// kernels are those that pick may return, each for all there is.
func kernels() []way {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return nil
	}
	all := []way{{"far", only(fastFar)}, {"near", only(fastNear)}}
	if hasWide {
		all = append(all, way{"wide", only(fastWide)})
	}
	return all
}

// Copies are near in numbers of 8 bytes, most of which change little or not at all.
func TestNear(t *testing.T) {
	for _, k := range codectest.Kinds() {
		block := snappy.Encode(nil, k.Page(rand.New(rand.NewPCG(7, 7))))
		_, at, err := Header(block)
		if err != nil {
			t.Fatal(err)
		}
		tags := block[at:]
		for done := int64(0); done < lead; {
			length, offset, size := parse(tags)
			if tags = tags[size:]; offset == 0 {
				tags = tags[length:]
			}
			done += length
		}
		want := k.Name == "keys-sorted" || k.Name == "times"
		if nearer, further, _ := sample(tags); nearer > further != want {
			t.Errorf("copies of %s: near is %v", k.Name, !want)
		}
	}
}
