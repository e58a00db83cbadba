package rowfilter

import "github.com/winnow-scan/winnow/filter"

// runtimeFilter is a runtime filter as the scan knows it.
type runtimeFilter struct {
	from    *filter.Runtime
	version uint64
	program *filter.Program // of what was published last; nil: nothing
}

// news reports whether something was published since renew was last called.
func (f *Filter) published() bool {
	for i := range f.runtime {
		if f.runtime[i].from.Newer(f.runtime[i].version) {
			return true
		}
	}
	return false
}

// renew takes over what was published since it was last called, and reports
// whether that was anything.
func (f *Filter) bindPublished() (changed bool, err error) {
	if !f.published() {
		return false, nil
	}
	for i := range f.runtime {
		r := &f.runtime[i]
		e, version := r.from.Snapshot()
		if version == r.version {
			continue
		}
		r.version, r.program = version, nil
		if e == nil {
			continue
		}
		if r.program, err = f.host.Bind(e); err != nil {
			return true, err
		}
	}
	programs := []*filter.Program{f.static}
	for i := range f.runtime {
		programs = append(programs, f.runtime[i].program)
	}
	f.program = filter.Conjoin(programs...)
	return true, f.build()
}
