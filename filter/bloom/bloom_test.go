package bloom

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// corpusFile reads a file of the shared corpus.
func corpusFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "parquet-testing", "data", name))
	if err != nil {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return data
}

// Filters that other writers made. Each header is 16 bytes here: field 1 is the
// size of the bit set, then three unions of one empty struct each.
func TestFiltersOfOtherWriters(t *testing.T) {
	const headerSize = 16
	tests := []struct {
		file       string
		at, size   int
		in, absent []string
	}{
		{"bloom_filter.xxhash.bin", 0, 1024,
			[]string{"hello", "parquet", "bloom", "filter"}, []string{"", "Hello", "winnow", "filters"}},
		{"data_index_bloom_encoding_stats.parquet", 192, 1024,
			[]string{"Hello", "This is", "a", "test", "How", "are you", "doing ", "today", "the quick",
				"brown fox", "jumps", "over", "the lazy", "dog"},
			[]string{"", "hello", "doing", "cat"}},
		{"data_index_bloom_encoding_with_length.parquet", 253, 2048,
			[]string{"Hello", "This is", "a", "test", "How", "are you", "doing ", "today", "the quick",
				"brown fox", "jumps", "over", "the lazy", "dog"},
			[]string{"", "hello", "doing", "cat"}},
	}
	for _, test := range tests {
		data := corpusFile(t, test.file)[test.at:]
		size, _ := binary.Varint(data[1:])
		if data[0] != 0x15 || size != int64(test.size) {
			t.Fatalf("%s: header % x", test.file, data[:headerSize])
		}
		f, err := FromBytes(data[headerSize : headerSize+test.size])
		if err != nil {
			t.Fatal(err)
		}
		ours := New(f.Blocks())
		for _, s := range test.in {
			if !f.Contains(Hash([]byte(s))) {
				t.Errorf("%s: %q is missing", test.file, s)
			}
			ours.Insert(Hash([]byte(s)))
		}
		if !slices.Equal(f, ours) {
			t.Errorf("%s: the same strings give other bits here", test.file)
		}
		for _, s := range test.absent {
			if f.Contains(Hash([]byte(s))) {
				t.Errorf("%s: %q is said to be in it", test.file, s)
			}
		}
		if got, least := f.Fill(), float64(len(test.in))*4/float64(test.size*8); got < least || got > 2*least {
			t.Errorf("%s: fill %v, want about %v", test.file, got, 2*least)
		}
	}
}

// bitsOf is the format's definition word for word: the eight bits of x, one in
// each word, as positions in the block.
func bitsOf(x uint32) (out []int) {
	for i, salt := range []uint64{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31} {
		y := uint64(x) * salt % (1 << 32)
		out = append(out, 32*i+int(y/(1<<27)))
	}
	return out
}

func TestContainsIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		block := make([]byte, BlockSize)
		for i := range block {
			block[i] = byte(r.Uint32() | r.Uint32() | r.Uint32()) // 7 of 8 bits set
		}
		hash := r.Uint64()
		want := true
		for _, bit := range bitsOf(uint32(hash)) {
			want = want && block[bit/8]>>(bit%8)&1 == 1
		}
		if got := Contains(block, hash); got != want {
			t.Fatalf("block %x hash %x: %v, want %v", block, hash, got, want)
		}
		insert(block, hash)
		if !Contains(block, hash) {
			t.Fatalf("block %x lost %x", block, hash)
		}
	}
}

func TestAnyNumberOfBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, blocks := range []uint32{1, 2, 3, 5, 31, 32, 33, 1000} {
		f := New(blocks)
		var hashes []uint64
		used := map[uint32]bool{}
		for range 10 * blocks {
			h := r.Uint64()
			hashes = append(hashes, h)
			f.Insert(h)
			used[BlockIndex(h, blocks)] = true
		}
		for _, h := range hashes {
			if !f.Contains(h) {
				t.Fatalf("%d blocks: %x is lost", blocks, h)
			}
		}
		wrong := 0
		for range 20000 {
			if f.Contains(r.Uint64()) {
				wrong++
			}
		}
		// 25.6 bits a value: the format's table says 0.01 %.
		if wrong > 40 && blocks > 30 {
			t.Errorf("%d blocks: %d of 20000 wrong answers", blocks, wrong)
		}
		if len(used) < int(blocks)*9/10 {
			t.Errorf("%d blocks: only %d are used", blocks, len(used))
		}
	}
	if BlockIndex(math.MaxUint64, math.MaxUint32) != math.MaxUint32-1 {
		t.Error("the last block of the largest filter is missed")
	}
	for _, n := range []int{0, 1, 31, 33, 63} {
		if _, err := FromBytes(make([]byte, n)); err == nil {
			t.Errorf("a filter of %d bytes was taken", n)
		}
	}
	last := New(2)
	last[len(last)-1] = 0xff
	if last.Fill() != 8.0/512 || Filter(slices.Repeat([]byte{0xff}, 96)).Fill() != 1 || Filter(nil).Fill() != 0 {
		t.Error("bits are counted wrongly")
	}
	if f := New(0); f.Blocks() != 1 || f.Fill() != 0 || f.Contains(7) {
		t.Errorf("filter of no blocks: %v", f)
	}
}

func TestAppendHashes(t *testing.T) {
	float16 := vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}
	tests := []struct {
		typ  vector.Type
		hex  string
		want []string // the encodings that are hashed; nil: not to be asked
	}{
		{vector.Type{Physical: vector.Int32}, "01000000", []string{"01000000"}},
		{vector.Type{Physical: vector.Int32}, "0100000000000000", nil},
		{vector.Type{Physical: vector.Int32, Logical: vector.Decimal}, "01000000", []string{"01000000"}},
		{vector.Type{Physical: vector.Int64}, "0100000000000000", []string{"0100000000000000"}},
		{vector.Type{Physical: vector.Int96}, "000000000000000000000000", nil},
		{vector.Type{Physical: vector.Boolean}, "01", nil},
		{vector.Type{Physical: vector.Float}, "cdcccc", nil},
		{vector.Type{Physical: vector.Double}, "cdcccc3d", nil},
		{vector.Type{Physical: vector.Float}, "cdcccc3d", []string{"cdcccc3d"}},
		{vector.Type{Physical: vector.Float}, "00000000", []string{"00000000", "00000080"}},
		{vector.Type{Physical: vector.Float}, "00000080", []string{"00000000", "00000080"}},
		{vector.Type{Physical: vector.Float}, "0000807f", []string{"0000807f"}}, // infinity
		{vector.Type{Physical: vector.Float}, "0100807f", nil},
		{vector.Type{Physical: vector.Float}, "0000c0ff", nil},
		{vector.Type{Physical: vector.Double}, "0000000000000080", []string{"0000000000000000", "0000000000000080"}},
		{vector.Type{Physical: vector.Double}, "000000000000f0ff", []string{"000000000000f0ff"}},
		{vector.Type{Physical: vector.Double}, "010000000000f0ff", nil},
		{float16, "0080", []string{"0000", "0080"}},
		{float16, "007c", []string{"007c"}},
		{float16, "017c", nil},
		{float16, "00", nil},
		{vector.Type{Physical: vector.ByteArray, Logical: vector.String}, "", []string{""}},
		{vector.Type{Physical: vector.ByteArray}, "ff00", []string{"ff00"}},
		{vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal}, "01", nil},
		{vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Decimal}, "0001", []string{"0001"}},
		{vector.Type{Physical: vector.ByteArray, Logical: vector.Null}, "01", nil},
		{vector.Type{Physical: vector.Group}, "01", nil},
	}
	for _, test := range tests {
		plain, _ := hex.DecodeString(test.hex)
		var want []uint64
		for _, w := range test.want {
			b, _ := hex.DecodeString(w)
			want = append(want, Hash(b))
		}
		got, ok := AppendHashes(nil, test.typ, plain)
		if ok != (test.want != nil) || !slices.Equal(got, want) {
			t.Errorf("%v % x: %x, %v, want %x", test.typ, plain, got, ok, want)
		}
	}
}

func BenchmarkContains(b *testing.B) {
	for _, blocks := range []uint32{1 << 8, 1 << 14} {
		b.Run(fmt.Sprintf("blocks=%d", blocks), func(b *testing.B) {
			f := New(blocks)
			for i := range uint64(blocks) * 10 {
				f.Insert(i * 0x9e3779b97f4a7c15)
			}
			b.ReportAllocs()
			b.SetBytes(BlockSize)
			h := uint64(0)
			for b.Loop() {
				h += 0x9e3779b97f4a7c15
				if f.Contains(h ^ 0x5555) {
					h++
				}
			}
		})
	}
}
