package vector

// OnRelease makes Release call take, with which the maker of b takes its memory
// back.
func (b *Batch) OnRelease(take func()) { b.release = take }

// Release gives b's memory back for other batches. b, its columns and the bytes
// that they refer to are invalid from then on. Calling it is optional: the garbage
// collector frees batches that are not released, at a cost in time. A second call
// does nothing. Any goroutine may call it, but not two at once.
func (b *Batch) Release() {
	if release := b.release; release != nil {
		b.release = nil
		release()
	}
}
