package encoding

func within[T Number](sel []uint64, values []T, lo, hi T) { withinGo(sel, values, lo, hi) }
