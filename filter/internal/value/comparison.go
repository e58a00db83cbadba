package value

// Comparison is one of = <> < <= > >=.
type Comparison uint8

const (
	Eq Comparison = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

func (c Comparison) String() string {
	return [...]string{"=", "<>", "<", "<=", ">", ">="}[c]
}

// Mirrored returns the equivalent comparison for swapped sides.
func (c Comparison) Mirrored() Comparison {
	return [...]Comparison{Eq, Ne, Gt, Ge, Lt, Le}[c]
}
