//go:build !race

package scanner

import "time"

// soon is when a scan that is cancelled has ended.
const soon = 20 * time.Millisecond
