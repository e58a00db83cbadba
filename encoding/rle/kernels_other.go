//go:build !amd64 || purego

package rle

// skipAlike is skipAlikeGo if there is no kernel.
func skipAlike(body []byte, at, left, header int, width uint) (next, still int) {
	return skipAlikeGo(body, at, left, header, width)
}
