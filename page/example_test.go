package page_test

import (
	"encoding/hex"
	"fmt"
	"io"

	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/thrift"
)

// A chunk of one page, read in the ranges that the Needs name, as from a remote file.
func Example() {
	// OPTIONAL BOOLEAN, seven slots, RLE, not compressed; written by pyarrow.
	chunk, _ := hex.DecodeString("1500151815182c150e1506150615061c000000" + "02000000035d" + "020000000317")

	unpacker, err := page.Options{Codecs: codec.NewSet(codec.Options{})}.Unpacker(thrift.CodecUncompressed)
	if err != nil {
		fmt.Println(err)
		return
	}
	var w page.Walker
	w.Reset(page.Chunk{Length: int64(len(chunk))})
	for {
		p, need, err := w.Next()
		if need.Some() {
			fmt.Println("read", need.From, "to", need.To)
			w.Supply(need.From, chunk[need.From:need.To])
			continue
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		packed, _ := w.Packed() // could need bytes as well
		body, err := unpacker.Unpack(nil, &p.Header, packed, len(packed))
		if err != nil {
			fmt.Println(err)
			return
		}
		parts, _, err := page.Split(&p.Header, thrift.TypeBoolean, 0, 1, body)
		fmt.Printf("%v of %d slots at %d: levels %x, values %x, %v\n",
			p.Header.Type, p.Header.NumValues, p.Offset, parts.Definition, parts.Values, err)
	}
	// Output:
	// read 0 to 31
	// DATA_PAGE of 7 slots at 0: levels 035d, values 0317, <nil>
}
