//go:build !unix

package compare

import "time"

var start = time.Now()

func processorTime() time.Duration { return time.Since(start) }
