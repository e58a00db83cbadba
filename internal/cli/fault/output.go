package fault

// OutputError is an error of writing the answer. It is no fault of the files that
// are read, and ends the command.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }

func (e *OutputError) Unwrap() error { return e.Err }
