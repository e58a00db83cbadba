package lint

import (
	"fmt"
	"testing"
)

// A module names what it requires of the repository, and what that requires; a program needs no list.
func TestReplacements(t *testing.T) {
	const replace = "go mod edit -replace example.org/m"
	files := good()
	files["adapters/x/go.mod"] = "module example.org/m/adapters/x\n\nrequire (\n\tanything.example/y v1.0.0\n\texample.org/m/adapters/z v0.0.0 // indirect\n)\n"
	files["adapters/z/go.mod"] = "module example.org/m/adapters/z\n\nrequire example.org/m v0.0.0\n"
	files["adapters/z/doc.go"] = doc("z")
	files["adapters/w/go.mod"] = "module example.org/m/adapters/w\n\nrequire example.org/m v0.0.0\n"
	files["adapters/w/main.go"] = "package main\n"
	const own, root, other = replace + "/adapters/x=FOLDER/adapters/x\n", replace + "=FOLDER\n", replace + "/adapters/z=FOLDER/adapters/z\n"
	for _, tc := range []struct{ x, z, want string }{
		{own + root + other, other + root, "[]"},
		{own + other, other + root, "[adapters/x/README.md: does not say: go mod edit -replace example.org/m=FOLDER]"},
		{own + root + other, other + root + own, "[adapters/z/README.md: replaces example.org/m/adapters/x=FOLDER/adapters/x, which is not needed]"},
		{own + root + other, root, "[adapters/z/README.md: does not say: go mod edit -replace example.org/m/adapters/z=FOLDER/adapters/z]"},
	} {
		files["adapters/x/README.md"], files["adapters/z/README.md"] = tc.x, tc.z
		if got := fmt.Sprint(Replaces(read(t, files))); got != tc.want {
			t.Errorf("%q, %q: %s, want %s", tc.x, tc.z, got, tc.want)
		}
	}
}
