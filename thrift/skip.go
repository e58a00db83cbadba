package thrift

// skipStruct returns the offset after the struct whose first field header is
// at i, or, with a fault, the offset of the fault. Unless s is nil, it adds the struct to it.
func skipStruct(b []byte, i, depth int, s *shape) (int, fault) {
	if depth >= maxDepth {
		return i, faultDepth
	}
	for uint(i) < uint(len(b)) {
		h, f := b[i], noFault
		if i++; h == typeStop {
			return i, noFault
		}
		if h < 0x10 { // the field id in full
			i, f = skipVarint(b, i)
		}
		if typ := h & 0x0f; typ != typeTrue && typ != typeFalse && f == noFault {
			i, f = skipValue(b, i, typ, depth, s)
		}
		if f != noFault {
			return i, f
		}
	}
	return len(b), faultShort
}

// skipValue returns the offset after the value of type typ at i; depth is that of
// the struct or list around the value. A bool takes a byte, as in a list.
func skipValue(b []byte, i int, typ byte, depth int, s *shape) (next int, f fault) {
	switch typ {
	case typeTrue, typeFalse, typeI8:
		return skipBytes(b, i, 1)
	case typeI16, typeI32, typeI64:
		if next, f = skipVarint(b, i); s != nil {
			s.add(b, i, next, 0, integerMask)
		}
		return next, f
	case typeDouble:
		return skipBytes(b, i, 8)
	case typeBinary:
		if next, f = skipBinary(b, i); s != nil {
			s.add(b, i, next, aBinary, 0)
		}
		return next, f
	case typeStruct:
		return skipStruct(b, i, depth+1, s)
	case typeList, typeSet:
		return skipList(b, i, depth+1, s)
	case typeMap:
		return skipMap(b, i, depth+1, s)
	case typeUUID:
		return skipBytes(b, i, 16)
	}
	return i - 1, faultType
}

func skipList(b []byte, i, depth int, s *shape) (int, fault) {
	typ, n, i, f := listHeader(b, i)
	if f != noFault {
		return i, f
	}
	if depth >= maxDepth {
		return i, faultDepth
	}
	for ; n > 0; n-- {
		if i, f = skipValue(b, i, typ, depth, s); f != noFault {
			return i, f
		}
	}
	return i, noFault
}

// listHeader reads the header of a list or set: type and number of elements.
func listHeader(b []byte, i int) (typ byte, n, next int, f fault) {
	if uint(i) >= uint(len(b)) {
		return 0, 0, i, faultShort
	}
	typ, n = b[i]&0x0f, int(b[i]>>4)
	next = i + 1
	if n == 15 {
		if n, next, f = size(b, next); f != noFault {
			return typ, 0, next, f
		}
	}
	if n > 0 && (typ == 0 || typ > typeUUID) {
		return typ, 0, i, faultType
	}
	return typ, n, next, noFault
}

func skipMap(b []byte, i, depth int, s *shape) (int, fault) {
	n, i, f := size(b, i)
	if f != noFault || n == 0 {
		return i, f
	}
	if depth >= maxDepth {
		return i, faultDepth
	}
	if i >= len(b) {
		return i, faultShort
	}
	key, value := b[i]>>4, b[i]&0x0f
	i++
	for left := 2 * uint(n); left > 0; left-- {
		if i, f = skipValue(b, i, key, depth, s); f != noFault {
			return i, f
		}
		key, value = value, key
	}
	return i, noFault
}

func skipVarint(b []byte, i int) (int, fault) {
	last := i + 9
	for uint(i) < uint(len(b)) && b[i] >= 0x80 {
		i++
	}
	switch {
	case i > last:
		return last, faultVarint
	case i >= len(b):
		return len(b), faultShort
	}
	return i + 1, noFault
}

func skipBinary(b []byte, i int) (int, fault) {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		return skipBytes(b, i+1, int(b[i]))
	}
	n, next, f := size(b, i)
	if f != noFault {
		return next, f
	}
	return skipBytes(b, next, n)
}

func skipBytes(b []byte, i, n int) (int, fault) {
	if n > len(b)-i {
		return len(b), faultShort
	}
	return i + n, noFault
}
