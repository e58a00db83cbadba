package decodetest

// FixedDecoder decodes values of one length to bytes, as the types Fixed of the encodings do.
type FixedDecoder interface {
	Next(dst []byte) (int, error)
	Skip(n int) error
	Gather(dst []byte, sel []uint64, n int) (int, error)
}

// Fixed returns d, whose values have a size, for Drive and Changing.
func Fixed(d FixedDecoder, size int) Decoder[string] {
	split := func(dst []string, decode func([]byte) (int, error)) (int, error) {
		flat := make([]byte, len(dst)*size)
		n, err := decode(flat)
		for i := range n {
			dst[i] = string(flat[i*size:][:size])
		}
		return n, err
	}
	return Decoder[string]{
		Next: func(dst []string) (int, error) { return split(dst, d.Next) },
		Skip: d.Skip,
		Gather: func(dst []string, sel []uint64, n int) (int, error) {
			return split(dst, func(flat []byte) (int, error) { return d.Gather(flat, sel, n) })
		},
	}
}
