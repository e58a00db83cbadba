//go:build !arm64 || purego

package codec

import "github.com/winnow-scan/winnow/page/codec/zstd"

func newZstdDecoder() prefixDecoder { return zstd.NewDecoder() }
