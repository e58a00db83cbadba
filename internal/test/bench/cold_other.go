//go:build !linux

package bench

import "errors"

// dropCache has the system forget what it holds of a file in memory, which only Linux does.
func dropCache(string) error {
	return errors.New("only Linux forgets what it holds of a file in memory when it is asked to")
}
