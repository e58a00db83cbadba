package scanner

import (
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/thrift"
)

// codecsFor returns the codecs for pages of codec id. If the scan can be cancelled, that
// codec decompresses large bodies in goroutines that the scan can abandon.
func (s *scan) codecsFor(id thrift.Codec) *codec.Set {
	all := s.codecs
	if s.ctx.Done() == nil {
		return all
	}
	if set := s.cancellable[id]; set != nil {
		return set
	}
	c, err := all.Codec(id)
	if err != nil {
		return all
	}
	if s.cancellable == nil {
		s.cancellable = map[thrift.Codec]*codec.Set{}
	}
	set := codec.NewSet(codec.Options{More: map[thrift.Codec]codec.Codec{id: detach.CancellableCodec{Ctx: s.ctx, Codec: c}}})
	s.cancellable[id] = set
	return set
}
