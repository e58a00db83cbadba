//go:build !unix

package snappy

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
