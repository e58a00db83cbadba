package thrift

// FileCrypto is what stands in front of an encrypted footer: how it is encrypted, and all of
// the file with it. Bytes are views.
type FileCrypto struct {
	Encryption  Arm // 1 AES_GCM_V1, 2 AES_GCM_CTR_V1; others are not known
	AAD         AAD
	KeyMetadata []byte // of the footer's key; nil if absent
	Size        int    // length of the struct
}

// ParseFileCrypto reads the FileCryptoMetaData at the front of b.
func ParseFileCrypto(b []byte) (c FileCrypto, err error) {
	r := reader{b: b}
	var seen uint32
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeStruct:
			c.Encryption, c.AAD = r.encryption()
		case 2<<4 | typeBinary:
			c.KeyMetadata = r.binary()
		default:
			r.skip(k)
			continue
		}
		seen |= 1 << (k >> 4)
	}
	r.require(seen, 1<<1, "file crypto metadata", "encryption_algorithm")
	c.Size = r.at
	return c, r.err
}

// ParseColumnMetaData reads the ColumnMetaData at the front of b. Bytes and text are views.
func ParseColumnMetaData(b []byte) (m ColumnMetaData, err error) {
	r := reader{b: b}
	r.columnMetaData(&m)
	return m, r.err
}

// encryption reads an EncryptionAlgorithm.
func (r *reader) encryption() (kind Arm, aad AAD) {
	if kind = r.union(ids(2), func(Arm) { r.aad(&aad) }); kind != 1 && kind != 2 {
		aad = AAD{}
	}
	return kind, aad
}

// aad reads an AesGcmV1 or an AesGcmCtrV1, which have the same fields.
func (r *reader) aad(x *AAD) {
	*x = AAD{}
	for k := r.field(0); k != 0; k = r.field(k) {
		switch k {
		case 1<<4 | typeBinary:
			x.Prefix = r.binary()
		case 2<<4 | typeBinary:
			x.FileUnique = r.binary()
		case 3<<4 | typeTrue, 3<<4 | typeFalse:
			x.SupplyPrefix = k == 3<<4|typeTrue
		default:
			r.skip(k)
		}
	}
}
