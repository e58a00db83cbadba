package thrift

// skipStruct returns the offset behind the struct whose first field header is
// at i. After a fault, it is the offset of the fault.
func skipStruct(b []byte, i, depth int) (int, fault) {
	if depth >= maxDepth {
		return i, faultDepth
	}
	for uint(i) < uint(len(b)) {
		var f fault
		h := b[i]
		i++
		if h < 0x10 {
			if h == typeStop {
				return i, fine
			}
			if i, f = skipVarint(b, i); f != fine { // the field id in full
				return i, f
			}
		}
		// A walk over a footer spends nearly all of its time here: the types
		// that footers have do not go through skipValue.
		switch h & 0x0f {
		case typeI64, typeI32:
			end := i + 10
			for uint(i) < uint(len(b)) && b[i] >= 0x80 {
				i++
			}
			if i++; i > end { // if it is behind the end of b, the loop sees that
				return end, faultVarint
			}
			continue
		case typeTrue, typeFalse:
			continue
		case typeBinary:
			i, f = skipBinary(b, i)
		case typeStruct:
			i, f = skipStruct(b, i, depth+1)
		case typeList:
			i, f = skipList(b, i, depth+1)
		default:
			i, f = skipValue(b, i, h&0x0f, depth)
		}
		if f != fine {
			return i, f
		}
	}
	return len(b), faultShort
}

// skipValue returns the offset behind the value of type typ at i; depth is that
// of the struct or list which holds the value. A bool takes a byte here, as it does in a list.
func skipValue(b []byte, i int, typ byte, depth int) (int, fault) {
	switch typ {
	case typeTrue, typeFalse, typeI8:
		return skipBytes(b, i, 1)
	case typeI16, typeI32, typeI64:
		return skipVarint(b, i)
	case typeDouble:
		return skipBytes(b, i, 8)
	case typeBinary:
		return skipBinary(b, i)
	case typeStruct:
		return skipStruct(b, i, depth+1)
	case typeList, typeSet:
		return skipList(b, i, depth+1)
	case typeMap:
		return skipMap(b, i, depth+1)
	case typeUUID:
		return skipBytes(b, i, 16)
	}
	return i - 1, faultType
}

func skipList(b []byte, i, depth int) (int, fault) {
	typ, n, i, f := listHeader(b, i)
	if f != fine {
		return i, f
	}
	if depth >= maxDepth {
		return i, faultDepth
	}
	return skipElements(b, i, typ, n, depth)
}

func skipElements(b []byte, i int, typ byte, n, depth int) (int, fault) {
	var f fault
	if typ == typeStruct {
		for ; n > 0; n-- {
			if i, f = skipStruct(b, i, depth+1); f != fine {
				return i, f
			}
		}
		return i, fine
	}
	for ; n > 0; n-- {
		if i, f = skipValue(b, i, typ, depth); f != fine {
			return i, f
		}
	}
	return i, fine
}

// listHeader reads the header of a list or set: type and number of elements.
func listHeader(b []byte, i int) (typ byte, n, next int, f fault) {
	if uint(i) >= uint(len(b)) {
		return 0, 0, i, faultShort
	}
	typ, n = b[i]&0x0f, int(b[i]>>4)
	next = i + 1
	if n == 15 {
		if n, next, f = size(b, next); f != fine {
			return typ, 0, next, f
		}
	}
	if n > 0 && (typ == 0 || typ > typeUUID) {
		return typ, 0, i, faultType
	}
	return typ, n, next, fine
}

func skipMap(b []byte, i, depth int) (int, fault) {
	n, i, f := size(b, i)
	if f != fine || n == 0 {
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
	for ; n > 0; n-- {
		if i, f = skipValue(b, i, key, depth); f != fine {
			return i, f
		}
		if i, f = skipValue(b, i, value, depth); f != fine {
			return i, f
		}
	}
	return i, fine
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
	return i + 1, fine
}

func skipBinary(b []byte, i int) (int, fault) {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		if next := i + 1 + int(b[i]); next <= len(b) {
			return next, fine
		}
	}
	n, next, f := size(b, i)
	if f != fine {
		return next, f
	}
	return skipBytes(b, next, n)
}

func skipBytes(b []byte, i, n int) (int, fault) {
	if n > len(b)-i {
		return len(b), faultShort
	}
	return i + n, fine
}
