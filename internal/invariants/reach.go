package invariants

import "strconv"

// Reads panics if the checks are on and a kernel, which is about to read n elements of s, would read after its
// capacity.
func Reads[T any](s []T, n int) {
	if On && (n < 0 || n > cap(s)) {
		panic(beyond("read", n, cap(s)))
	}
}

// Writes panics if the checks are on and a kernel, which is about to write n elements of s, would write after its
// length.
func Writes[T any](s []T, n int) {
	if On && (n < 0 || n > len(s)) {
		panic(beyond("write", n, len(s)))
	}
}

func beyond(does string, n, there int) string {
	return "winnow: broken invariant: a kernel would " + does + " " + strconv.Itoa(n) + " elements where there are " + strconv.Itoa(there)
}
