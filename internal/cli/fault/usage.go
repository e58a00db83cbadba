package fault

// UsageError is a fault in the command line.
type UsageError struct {
	Command string // whose help tells more, or ""
	What    string
	Picture string // of the place in what was typed, or ""
}

func (e *UsageError) Error() string { return e.What }

// Usage returns an error for a command line that is wrong.
func Usage(what string) error { return &UsageError{What: what} }
