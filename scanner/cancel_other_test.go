//go:build !unix

package scanner

import "time"

func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
