package vector

// OnRelease has take called when b is released. It is for whoever makes b.
func (b *Batch) OnRelease(take func()) { b.release = take }

// Release says that nobody looks any more at b, its columns, and what they
// point to, so that their memory can serve other batches. Nobody has to call
// it: without, batches cost more time, and the garbage collector gets them. It
// may be called from any goroutine.
func (b *Batch) Release() {
	if take := b.release; take != nil {
		b.release = nil
		take()
	}
}
