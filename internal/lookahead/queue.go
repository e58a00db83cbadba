package lookahead

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Queue opens things in order. Safe for concurrent use.
type Queue[T any] struct {
	next  func() (open func() (T, error))
	close func(T)
	most  int

	mu      sync.Mutex
	waiting []*Opening[T] // begun, and not returned by Next yet
	over    bool          // nothing more is begun
}

// Opening is a thing that is opened.
type Opening[T any] struct {
	value T
	err   error
	begun atomic.Bool
	open  func() // closes done
	done  chan struct{}
}

// New returns a queue that begins to open at most a number of things before Next returns
// the first of them: with 1, Wait opens it. next returns what opens the next thing, nil after the last one; it is
// not called twice at the same time. close closes a thing that nobody wants.
func New[T any](most int, next func() (open func() (T, error)), close func(T)) *Queue[T] {
	return &Queue[T]{next: next, close: close, most: most}
}

// Next returns the next thing, and nil after the last one or after Stop. It begins to open
// those behind it.
func (q *Queue[T]) Next() *Opening[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.over && len(q.waiting) < q.most {
		open := q.next()
		if open == nil {
			q.over = true
			break
		}
		o := &Opening[T]{done: make(chan struct{})}
		o.open = func() {
			defer close(o.done)
			o.value, o.err = open()
		}
		if q.waiting = append(q.waiting, o); q.most > 1 {
			o.begun.Store(true)
			go o.open()
		}
	}
	if len(q.waiting) == 0 {
		return nil
	}
	o := q.waiting[0]
	q.waiting = q.waiting[1:]
	return o
}

// Back puts back what Next has returned last. From now on, at most a number of things are begun before they are wanted.
func (q *Queue[T]) Back(o *Opening[T], most int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting, q.most = slices.Insert(q.waiting, 0, o), most
}

// Wait returns the thing once it is open. The caller closes it.
func (o *Opening[T]) Wait() (T, error) {
	if !o.begun.Swap(true) {
		o.open()
	}
	<-o.done
	return o.value, o.err
}

// Stop opens nothing more. It waits for what is being opened, and closes it.
func (q *Queue[T]) Stop() {
	q.mu.Lock()
	waiting := q.waiting
	q.waiting, q.over = nil, true
	q.mu.Unlock()
	for _, o := range waiting {
		if x, err := o.Wait(); err == nil {
			q.close(x)
		}
	}
}

// Begin returns the pairs of all once the first of them is there. stop ends all, if nobody wants them any more.
func Begin[K, V any](all iter.Seq2[K, V]) (begun iter.Seq2[K, V], stop func()) {
	next, stop := iter.Pull2(all)
	k, v, more := next()
	return func(yield func(K, V) bool) {
		defer stop()
		for more && yield(k, v) {
			k, v, more = next()
		}
	}, stop
}
