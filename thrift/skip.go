package thrift

// skipStruct returns the offset after the struct whose first field header is
// at i, or, with a fault, the offset of the fault.
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
				return i, noFault
			}
			if i, f = skipVarint(b, i); f != noFault { // the field id in full
				return i, f
			}
		}
		// ParseFooter spends nearly all of its time here: the types that
		// footers have are inline, without skipValue.
		switch h & 0x0f {
		case typeI64, typeI32:
			end := i + 10
			for uint(i) < uint(len(b)) && b[i] >= 0x80 {
				i++
			}
			if i++; i > end { // i may be beyond the end of b: the loop's condition tests that
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
		if f != noFault {
			return i, f
		}
	}
	return len(b), faultShort
}

// skipValue returns the offset after the value of type typ at i; depth is that of
// the struct or list around the value. A bool takes a byte, as in a list.
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
	if f != noFault {
		return i, f
	}
	if depth >= maxDepth {
		return i, faultDepth
	}
	if typ == typeStruct {
		for ; n > 0; n-- {
			if i, f = skipStruct(b, i, depth+1); f != noFault {
				return i, f
			}
		}
		return i, noFault
	}
	for ; n > 0; n-- {
		if i, f = skipValue(b, i, typ, depth); f != noFault {
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

func skipMap(b []byte, i, depth int) (int, fault) {
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
	for ; n > 0; n-- {
		if i, f = skipValue(b, i, key, depth); f != noFault {
			return i, f
		}
		if i, f = skipValue(b, i, value, depth); f != noFault {
			return i, f
		}
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
		if next := i + 1 + int(b[i]); next <= len(b) {
			return next, noFault
		}
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
