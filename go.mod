module github.com/winnow-scan/winnow

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/apache/thrift v0.25.0
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/golang/snappy v1.0.0
	github.com/klauspost/compress v1.20.3
	github.com/pierrec/lz4/v4 v4.1.33
	golang.org/x/sys v0.49.0
)
