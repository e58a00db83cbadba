package fetch

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
)

// Viewer is a source that can show its bytes without a copy.
type Viewer interface {
	Source
	// Views returns views of the bytes, valid until their Close; nil if the bytes can
	// only be read.
	Views() *Views
}

// Views shows the bytes of a file that is mapped into memory. A Views is for one
// goroutine at a time. The mapping stays until the last Views are closed, even after
// the file's Close.
//
// A file may shrink, or its disk fail, after it was mapped. Then an access raises a
// fault, which ends the program unless debug.SetPanicOnFault is on, or shows zeros in
// place of the bytes after the new end of the file:
//
//	mapped     [ page ][ page ][ page ]
//	file       ----------|
//	           right     0000   fault
//
// A caller must catch the fault (Offset reports whether it lies in the mapping), and call
// Intact before it uses a result, to detect the zeros.
type Views struct {
	file *File
	data []byte
	base uintptr // where data starts
	end  int64   // of what was looked at
}

// Views maps the file, if it is not mapped yet. It returns nil where that is impossible.
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

// Close ends the views. Their bytes must not be used afterwards.
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

// View returns the bytes of a range, read-only. The spare capacity of the slice has the
// bytes that follow in the file.
func (v *Views) View(r Range) ([]byte, error) {
	if err := Check([]Range{r}, int64(len(v.data))); err != nil {
		return nil, err
	}
	v.end = max(v.end, r.End())
	return v.data[r.Off:r.End()], nil
}

// Offset returns the file offset of a byte, given its address; ok reports whether the
// address lies in the mapping.
func (v *Views) Offset(address uintptr) (off int64, ok bool) {
	if address < v.base || address-v.base >= uintptr(len(v.data)) {
		return 0, false
	}
	return int64(address - v.base), true
}

// Intact returns an error if the file is now shorter than the end of the views so far, so
// that some bytes may have been zeros. A closed file is an error, too.
func (v *Views) Intact() error {
	size, err := sizeNow(v.file.f)
	if err == nil && size < v.end {
		err = fmt.Errorf("%w: it has shrunk from %d bytes to %d: %w", ErrChanged, v.file.size, size, io.ErrUnexpectedEOF)
	}
	return err
}
