package annotate

import (
	"encoding/binary"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/thrift"
)

// values labels the value part.
//
//every:encoding dump but BIT_PACKED ALP (levels only; not taken apart yet)
func (a *annotator) values(p *Page) {
	if a.fault != "" || a.remaining() == 0 {
		return
	}
	n := max(0, p.Slots-p.nulls)
	switch p.Encoding {
	case thrift.EncodingPlain:
		a.plainValues(p, n)
	case thrift.EncodingPlainDictionary, thrift.EncodingRLEDictionary:
		head, ok := a.consume(1, "bit width of the indices:")
		if !ok {
			return
		}
		a.detail(" " + strconv.Itoa(int(head[0])))
		if head[0] > 32 {
			a.fail("an index of " + strconv.Itoa(int(head[0])) + " bits")
			return
		}
		a.runs("indices", int(head[0]), n, 0, true)
	case thrift.EncodingRLE:
		a.prefixed("booleans", func(in *annotator) { in.runs("booleans", 1, n, 0, true) })
	case thrift.EncodingDeltaBinaryPacked:
		a.delta("values", n, p.showInt)
	case thrift.EncodingDeltaLengthByteArray:
		if lengths, ok := a.delta("lengths", n, decimal); ok {
			a.strings(lengths, nil, p)
		}
	case thrift.EncodingDeltaByteArray:
		prefixes, ok := a.delta("prefix lengths", n, decimal)
		if !ok {
			return
		}
		if suffixes, ok := a.delta("suffix lengths", n, decimal); ok {
			a.strings(suffixes, prefixes, p)
		}
	case thrift.EncodingByteStreamSplit:
		width := p.Width
		if width == 0 || a.remaining()%width != 0 {
			a.fail(strconv.Itoa(a.remaining()) + " bytes in streams of " + strconv.Itoa(width))
			return
		}
		stream := int64(a.remaining() / width)
		for k := range width {
			a.consume(stream, "byte "+strconv.Itoa(k)+" of "+table.Plural(stream, "value"))
		}
	default:
		a.finish("values in " + wirename.Encoding(p.Encoding) + ", not taken apart")
	}
}

func (a *annotator) plainValues(p *Page, n int) {
	name := func(i int) string { return "value " + strconv.Itoa(i) }
	if p.Type == thrift.DictionaryPage {
		name = func(i int) string { return "entry " + strconv.Itoa(i) }
	}
	switch width := p.Width; {
	case p.Physical == thrift.TypeBoolean:
		for at := 0; at < n && a.remaining() > 0; at += 64 {
			body, _ := a.consume(int64(min(a.remaining(), 8, (n-at+7)/8)), "")
			last := min(n, at+64, at+8*len(body)) - 1
			a.relabel("values " + strconv.Itoa(at) + " to " + strconv.Itoa(last) + ": " +
				list(last-at+1, func(i int) string { return strconv.FormatUint(packedLSB(body, i, 1), 10) }))
		}
	case width > 0:
		for i := 0; i < n && a.remaining() > 0; i++ {
			body, ok := a.consume(int64(width), name(i))
			if !ok {
				return
			}
			a.detail(" = " + p.ShowValue(body))
		}
	case p.Physical == thrift.TypeByteArray:
		for i := 0; i < n && a.remaining() > 0; i++ {
			head, ok := a.consume(4, name(i)+": length")
			if !ok {
				return
			}
			size := int64(littleEndian(head))
			a.relabel(name(i) + ": " + table.Plural(size, "byte"))
			body, ok := a.consume(size, name(i))
			if !ok {
				return
			}
			if size > 0 {
				a.detail(" = " + p.ShowValue(body))
			}
		}
	}
}

// strings labels the bytes of strings: all bytes of each or, with prefixes, those
// after the prefix that it shares with the string before.
func (a *annotator) strings(lengths, prefixes []int64, p *Page) {
	if prefixes != nil && len(prefixes) != len(lengths) {
		a.fail(strconv.Itoa(len(prefixes)) + " prefixes, " + strconv.Itoa(len(lengths)) + " suffixes")
		return
	}
	var last []byte
	for i, n := range lengths {
		name := "value " + strconv.Itoa(i)
		shared := int64(0)
		if prefixes != nil {
			shared = prefixes[i]
		}
		if shared < 0 || shared > int64(len(last)) {
			a.fail(name + ": a prefix of " + strconv.FormatInt(shared, 10) + " of " + strconv.Itoa(len(last)))
			return
		}
		body, ok := a.consume(n, name)
		if !ok {
			return
		}
		if prefixes == nil {
			last = body
		} else {
			last = append(last[:shared], body...)
		}
		if n > 0 {
			a.detail(" = " + p.ShowValue(last))
		}
	}
}

func (p *Page) showInt(v int64) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	return p.ShowValue(b[:max(4, min(8, p.Width))])
}

func decimal(v int64) string { return strconv.FormatInt(v, 10) }
