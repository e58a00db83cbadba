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

// OutputError is an error of writing the answer. It is no fault of the files that
// are read, and ends the command.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }

func (e *OutputError) Unwrap() error { return e.Err }
