package zstd

func kernels() []way { return []way{goWay()} }
