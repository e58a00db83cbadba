package corrupt

import (
	"errors"
	"strconv"
)

// The kinds of refusal, for errors.Is.
var (
	// Bad is matched by every error about bytes that break the format.
	Bad = errors.New("corrupt data")
	// Unsupported is matched by errors about bytes that may be right but ask
	// for something that this build cannot do.
	Unsupported = errors.New("not supported")
	// Encrypted is matched by errors about parts that are encrypted.
	Encrypted = errors.New("encrypted")
	// Memory is matched by errors about parts that are larger than a memory budget.
	Memory = errors.New("larger than the memory budget")
)

// Error says what is wrong with some bytes, and where.
type Error struct {
	Kind   error  // Bad, Unsupported, Encrypted or Memory
	In     string // the part that the offset counts in: "page header", "definition levels"; "" if not yet named
	Offset int64  // byte within that part; -1 where no single byte is at fault
	What   string
}

// At returns an Error of kind Bad at byte offset of the bytes at hand. The
// parts (strings, integers, errors) are joined as they stand.
func At(offset int, parts ...any) *Error {
	return &Error{Kind: Bad, Offset: int64(offset), What: join(parts)}
}

// NotSupported returns an Error of kind Unsupported.
func NotSupported(parts ...any) *Error {
	return &Error{Kind: Unsupported, Offset: -1, What: join(parts)}
}

// IsEncrypted returns an Error of kind Encrypted.
func IsEncrypted(parts ...any) *Error {
	return &Error{Kind: Encrypted, Offset: -1, What: join(parts)}
}

// ExceedsMemory returns an Error of kind Memory.
func ExceedsMemory(parts ...any) *Error {
	return &Error{Kind: Memory, Offset: -1, What: join(parts)}
}

// Within names the part that err's offset counts in, where no layer below has
// done so, and moves the offset by base. An err that holds no *Error comes back as it is.
func Within(err error, part string, base int) error {
	if err == nil { // e would be allocated
		return nil
	}
	var e *Error
	if !errors.As(err, &e) || e.In != "" {
		return err
	}
	moved := *e
	moved.In = part
	if moved.Offset >= 0 {
		moved.Offset += int64(base)
	}
	return &moved
}

func (e *Error) Error() string {
	s := e.What
	if e.Offset >= 0 {
		s = "byte " + strconv.FormatInt(e.Offset, 10) + ": " + s
	}
	if e.In != "" {
		sep := ", "
		if e.Offset < 0 {
			sep = ": "
		}
		s = e.In + sep + s
	}
	return s
}

// Is makes errors.Is match the kind.
func (e *Error) Is(target error) bool { return target == e.Kind }

func join(parts []any) string {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case int:
			b = strconv.AppendInt(b, int64(p), 10)
		case int32:
			b = strconv.AppendInt(b, int64(p), 10)
		case int64:
			b = strconv.AppendInt(b, p, 10)
		case uint8:
			b = strconv.AppendUint(b, uint64(p), 10)
		case uint32:
			b = strconv.AppendUint(b, uint64(p), 10)
		case uint64:
			b = strconv.AppendUint(b, p, 10)
		case error:
			b = append(b, p.Error()...)
		case interface{ String() string }:
			b = append(b, p.String()...)
		default:
			b = append(b, '?')
		}
	}
	return string(b)
}
