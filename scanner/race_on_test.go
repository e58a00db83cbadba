//go:build race

package scanner

import "time"

// soon is ten times what it is without the race detector: so is all that a scan does.
const soon = 200 * time.Millisecond
