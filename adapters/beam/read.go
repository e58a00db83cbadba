package winnowio

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/winnow-scan/winnow/adapters/beam/internal/restriction"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[restriction.Restriction](), encodeRestriction, decodeRestriction)
	beam.RegisterCoder(reflect.TypeFor[keySet](), encodeKeys, decodeKeys)
	beam.RegisterType(reflect.TypeFor[keysFn]())
	beam.RegisterType(reflect.TypeFor[listFn]())
	beam.RegisterType(reflect.TypeFor[readFn]())
	beam.RegisterType(reflect.TypeFor[readAmongFn]())
	register.Emitter1[beam.X]()
	register.Emitter1[string]()
	register.Iter1[keySet]()
}

// Read returns the rows of the files that match a pattern, as values of T: a struct as
// scanner.Rows takes it, and with fields that Beam's row coder knows. T is registered by
// beam.RegisterType in an init function. A pattern without a match fails the pipeline. Elements have
// the timestamp and the window of the impulse, as with Beam's own sources of files.
//
// As with Beam's own transforms, mistakes in what is asked are a panic.
func Read[T any](s beam.Scope, pattern string, o Options) beam.PCollection {
	s = s.Scope("winnowio.Read")
	if err := checkPattern(pattern); err != nil {
		panic(fmt.Errorf("winnowio: %w", err))
	}
	return read(s, beam.Create(s, pattern), reflect.TypeFor[T](), o)
}

// ReadAll is Read for patterns, or names of files, that are the elements of a PCollection<string>.
// Rows have the timestamp and the window of the element, so a stream of names works. With Keys, a
// file is read once those of its window are complete.
func ReadAll[T any](s beam.Scope, patterns beam.PCollection, o Options) beam.PCollection {
	s = s.Scope("winnowio.ReadAll")
	return read(s, patterns, reflect.TypeFor[T](), o)
}

// ReadRows is Read for elements whose type is made of the files' schema: see RowType. They are
// rows of Beam's schemas, which SQL and transforms of other languages take. It opens the
// first file while the pipeline is built.
func ReadRows(ctx context.Context, s beam.Scope, pattern string, o Options) beam.PCollection {
	s = s.Scope("winnowio.ReadRows")
	t, err := RowType(ctx, pattern, o)
	if err != nil {
		panic(fmt.Errorf("winnowio: %w", err))
	}
	return read(s, beam.Create(s, pattern), t, o)
}

func read(s beam.Scope, patterns beam.PCollection, t reflect.Type, o Options) beam.PCollection {
	q, err := o.travel()
	if err == nil {
		err = checkType(t)
	}
	base, fault := newBase(q, t)
	if err = errors.Join(err, fault); err != nil {
		panic(fmt.Errorf("winnowio: %w", err))
	}
	names := beam.Reshuffle(s, beam.ParDo(s, &listFn{}, patterns))
	x := beam.TypeDefinition{Var: beam.XType, T: t}
	if !o.Keys.IsValid() {
		return beam.ParDo(s, &readFn{base}, names, x)
	}
	keys := beam.Combine(s, &keysFn{}, o.Keys)
	return beam.ParDo(s, &readAmongFn{base}, names, beam.SideInput{Input: keys}, x)
}

// registered reports whether workers find the type by its name.
func registered(t reflect.Type) bool {
	key, ok := runtime.TypeKey(t)
	if ok {
		_, ok = runtime.LookupType(key)
	}
	return ok
}

// listFn turns patterns into the names of files.
type listFn struct{}

// ProcessElement emits the names of the files that a pattern stands for.
func (*listFn) ProcessElement(ctx context.Context, pattern string, emit func(string)) error {
	names, err := list(ctx, pattern)
	for _, name := range names {
		emit(name)
	}
	return err
}
