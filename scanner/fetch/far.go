package fetch

// Far is a source whose reads have a high latency, as those of an object store. A scan
// prefetches from it, several ranges at once, in goroutines of its own.
type Far interface {
	Source

	// ReadAhead returns how many prefetched bytes a scan may hold: at least what the
	// source transfers during the latency of a read. 0 turns prefetching off.
	ReadAhead() int64
}

// ReadAhead returns src.ReadAhead() if src is Far, and else 0.
func ReadAhead(src Source) int64 {
	if far, ok := src.(Far); ok {
		return far.ReadAhead()
	}
	return 0
}

func (c *coalesced) ReadAhead() int64 { return ReadAhead(c.src) }

// ReadAhead returns ReadAhead of the recorded source.
func (r *Recorder) ReadAhead() int64 { return ReadAhead(r.src) }
