package rowfilter

import (
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// runtimeFilter is a runtime filter with its last bound state.
type runtimeFilter struct {
	from    *filter.Runtime
	version uint64
	program *compile.Program // of the last published condition; nil: none
}

// Published reports whether a condition was published since Prove or Refresh has bound those
// of before.
func (f *Filter) Published() bool {
	for i := range f.runtime {
		if f.runtime[i].from.Newer(f.runtime[i].version) {
			return true
		}
	}
	return false
}

// bindPublished binds the conditions that were published since its last call. changed
// reports whether there were any.
func (f *Filter) bindPublished() (changed bool, err error) {
	if !f.Published() {
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
	programs := []*compile.Program{f.static}
	for i := range f.runtime {
		programs = append(programs, f.runtime[i].program)
	}
	f.program = compile.Conjoin(programs...)
	return true, f.build()
}
