package column

// codeMask says which entries of the chunk's dictionary pass a test.
type codeMask struct{}
