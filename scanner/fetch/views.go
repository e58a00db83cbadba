package fetch

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
)

// Viewer is a source that can show its bytes where they lie, which saves a copy.
type Viewer interface {
	Source
	// Views returns what shows them until its Close, nil if they can only be read.
	Views() *Views
}

// Views shows the bytes of a file that is mapped into memory. It is for one
// goroutine. The mapping stays until the last Views are closed, even behind
// the file's Close.
//
// A file may shrink, or its disk fail, after it was mapped. Then looking at
// bytes raises a fault, which ends the program unless debug.SetPanicOnFault is
// on, or shows zeros in place of the bytes behind the new end of the file:
//
//	mapped     [ page ][ page ][ page ]
//	file       ----------|
//	           right     0000   fault
//
// Whoever looks at bytes has to catch the one (Offset tells whether a fault was
// here) and to ask about the other (Intact) before using what came of them.
type Views struct {
	file *File
	data []byte
	base uintptr // where data starts
	end  int64   // of what was looked at
}

// Views maps the file, if it is not yet, where this can be done.
func (f *File) Views() *Views {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	if !f.tried {
		f.tried = true
		if f.mapped = mapped(f.f, f.size); f.mapped != nil {
			f.forgotten = runtime.AddCleanup(f, unmap, f.mapped)
		}
	}
	if f.mapped == nil {
		return nil
	}
	f.users++
	return &Views{file: f, data: f.mapped, base: reflect.ValueOf(f.mapped).Pointer()}
}

// Close says that nobody looks at the bytes any more.
func (v *Views) Close() {
	f := v.file
	f.mu.Lock()
	defer f.mu.Unlock()
	v.data = nil
	f.users--
	f.unmapUnused()
}

// unmapUnused ends the mapping of a closed file.
func (f *File) unmapUnused() {
	if f.closed && f.users == 0 && f.mapped != nil {
		f.forgotten.Stop()
		unmap(f.mapped)
		f.mapped = nil
	}
}

// View returns the bytes of a range, for reading only. What the slice has as
// spare capacity are the bytes that follow in the file.
func (v *Views) View(r Range) ([]byte, error) {
	if err := Check([]Range{r}, int64(len(v.data))); err != nil {
		return nil, err
	}
	v.end = max(v.end, r.End())
	return v.data[r.Off:r.End()], nil
}

// Offset returns which byte of the file lies at an address.
func (v *Views) Offset(address uintptr) (off int64, ok bool) {
	if address < v.base || address-v.base >= uintptr(len(v.data)) {
		return 0, false
	}
	return int64(address - v.base), true
}

// Intact returns an error if the file is shorter by now than what was looked
// at, so that some of that was not there. A closed file is an error, too.
func (v *Views) Intact() error {
	size, err := sizeNow(v.file.f)
	if err == nil && size < v.end {
		err = fmt.Errorf("the file has shrunk from %d bytes to %d: %w", v.file.size, size, io.ErrUnexpectedEOF)
	}
	return err
}
