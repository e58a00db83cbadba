package arrowscan

import "encoding/binary"

// littleEndian is whether the machine's byte order is that of Arrow's bitmaps.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
