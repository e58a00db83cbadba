//go:build !purego

package zstd

// kernels are those that pick may return, and each of its loops alone.
func kernels() []way {
	if k := pick(); k.name != goWay().name {
		return []way{goWay(), k, {"steady", steady, four}, {"mixed", mixed, four}}
	}
	return []way{goWay()}
}
