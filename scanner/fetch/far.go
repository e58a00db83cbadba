package fetch

// Far is a source whose reads wait long before their first byte comes, as
// those of an object store do. A scan asks for what it will need before it
// needs it then, several ranges at once, in goroutines of its own.
type Far interface {
	Source

	// ReadAhead returns how many bytes a scan may have asked for and not used yet:
	// at least what comes in the time that a read waits. 0 stands for none.
	ReadAhead() int64
}

// ReadAhead returns what src says if it is Far, and else 0.
func ReadAhead(src Source) int64 {
	if far, ok := src.(Far); ok {
		return far.ReadAhead()
	}
	return 0
}

func (c *coalesced) ReadAhead() int64 { return ReadAhead(c.src) }

// ReadAhead returns what the recorded source says.
func (r *Recorder) ReadAhead() int64 { return ReadAhead(r.src) }
